import { describe, expect, it } from 'vitest';
import { editDistance, nearestName } from '../src/nearestName.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['saturday', 'sunday', 3],
    ['flaw', 'lawn', 2],
  ])('of %j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('nearestName', () => {
  const names = ['temperature', 'yield', 'cost_eur', 'pH'];
  it.each([
    ['temprature', 'temperature'],
    ['Yield', 'yield'],
    ['cost eur', 'cost_eur'],
    ['ph', 'pH'],
    ['pressure', undefined],
    ['', undefined],
  ])('to %j is %j', (name, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });
});
