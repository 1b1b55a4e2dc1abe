import type { Highs } from 'highs';

export default function load(options: object): Promise<Highs>;
