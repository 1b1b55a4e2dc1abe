/** The body of D'Kitty as a model of MuJoCo, from the numbers of a design: m, kg, rad. */
import { rowOf } from '../numeric/rows.js';

const quarter = Math.PI / 4;

/** Names and bounds of the numbers of one leg. */
export const dkittyLeg: readonly (readonly [name: string, lower: number, upper: number])[] = [
  ['x', -0.09, 0.09],
  ['y', -0.122, 0.122],
  ['z', 0, 0],
  ['angle a', -Math.PI, Math.PI],
  ['angle b', -Math.PI, Math.PI],
  ['angle c', -Math.PI, Math.PI],
  ['hip centre', -Math.PI, Math.PI],
  ['hip range', Math.PI / 35, quarter],
  ['thigh centre', -Math.PI, Math.PI],
  ['thigh range', Math.PI / 35, quarter],
  ['ankle centre', -Math.PI, Math.PI],
  ['ankle range', Math.PI / 35, Math.PI / 2],
  ['thigh size', 0.0965, 0.1365],
  ['ankle size', 0.0945, 0.1345],
];

export const dkittyLegNumbers = dkittyLeg.length;

/** Front right, front left, back left, back right: x, y, angle b, hip centre. */
const places = [
  [0.09, 0.122, -3.14, -0.1105],
  [-0.09, 0.122, 3.14, 0.1105],
  [-0.09, -0.122, 3.14, 0.1105],
  [0.09, -0.122, -3.14, -0.1105],
] as const;

/** The body as it is without a search. */
export const dkittyDefault: Float64Array = Float64Array.from(
  places.flatMap(([x, y, b, hip]) => [
    x,
    y,
    0,
    0,
    b,
    0,
    hip,
    0.3895,
    quarter,
    quarter,
    -1,
    1,
    0.0965,
    0.0945,
  ]),
);

/** Half of the torso's plate, back to front: half width there, y, half width there, y, mass. The rest is its mirror image. */
const plate = [
  [0.06234, -0.13792, 0.06244, -0.10599, 0.038],
  [0.06167, -0.10582, 0.04428, -0.05333, 0.085],
  [0.04458, -0.05354, 0.03943, 0.00111, 0.065],
] as const;

type Box = readonly [pos: string, size: string, mass: number];

const across = '0.0015 0.013 0.029';
const bracket = '0.019 0.016 0.004';
const horn = '0.019 0.013 0.006';

/** The first three are turned by 1.57 about z. */
const hipBoxes: readonly Box[] = [
  ['0 -0.02 0.026', across, 0.005],
  ['0 0.02 0.026', across, 0.005],
  ['0 0 0.051', bracket, 0.008],
  ['0 0 0.061', horn, 0.005],
  ['0 0 0.084', '0.018 0.015 0.024', 0.095],
];
const thighBoxes: readonly Box[] = [
  ['0 0 0.051', bracket, 0.008],
  ['0.02 0 0.026', across, 0.005],
  ['-0.02 0 0.026', across, 0.005],
  ['0 0 0.084', '0.018 0.015 0.023', 0.095],
  ['0 0 0.06', horn, 0.005],
];
const shankBoxes: readonly Box[] = [
  ['0.02 0 0.026', across, 0.005],
  ['-0.02 0 0.026', across, 0.005],
  ['0 0 0.052', bracket, 0.008],
  ['0 0 0.058', '0.025 0.014 0.003', 0.002],
];

/**
 * The torso's prisms are boxes of their mean width. Margins are half of the original's: MuJoCo adds those of two geoms
 * since 3.5, and took the larger one before. Parts also touch each other.
 */
export function dkittyXml(design: Float64Array): string {
  const parts = places.map((_, leg) => legXml(rowOf(design, dkittyLegNumbers, leg), leg));
  return `
<mujoco model="dkitty">
  <compiler angle="radian"/>
  <option timestep="0.0025"><flag island="disable" autoreset="disable"/></option>
  <size memory="4M"/>
  <default>
    <joint type="hinge" limited="true" damping="1" armature="0.001"/>
    <default class="part">
      <geom type="box" condim="4" margin="0.0005" solref="0.02 1" solimp="0.8 0.9 0.01"/>
    </default>
    <default class="root"><joint damping="0" armature="0"/></default>
    <position kp="5" ctrllimited="true"/>
  </default>
  <worldbody>
    <geom type="plane" size="40 40 40" condim="3" margin="0.0005"/>
    <body pos="0 0 0.3" childclass="part">
      <joint class="root" type="slide" axis="1 0 0" range="-10 10"/>
      <joint class="root" type="slide" axis="0 1 0" range="-10 10"/>
      <joint class="root" type="slide" axis="0 0 1" range="-2 2"/>
      <joint class="root" axis="1 0 0" range="-3.14 3.14"/>
      <joint class="root" axis="0 1 0" range="-3.14 3.14"/>
      <joint class="root" axis="0 0 1" range="-3.14 3.14"/>
      <geom type="sphere" size="0.01" mass="0.01"/>
      ${torsoBoxes()
        .map((box) => boxXml(box))
        .join('')}${parts.map(({ body }) => body).join('')}
    </body>
  </worldbody>
  <actuator>${parts.map(({ motors }) => motors).join('')}</actuator>
</mujoco>`;
}

function torsoBoxes(): Box[] {
  const prisms = [1, -1].flatMap((side) =>
    plate.map(
      ([w0, y0, w1, y1, mass]): Box => [
        `0 ${(side * (y0 + y1)) / 2} 0`,
        `${(w0 + w1) / 2} ${(y1 - y0) / 2} 0.01762`,
        mass,
      ],
    ),
  );
  const corners = places.map(
    ([x, y]): Box => [`${Math.sign(x) * 0.078} ${Math.sign(y) * 0.122} 0`, '0.024 0.018 0.015', 0.086],
  );
  return [...prisms, ...corners];
}

/** Motors take targets within the limits of their joint. */
function legXml(numbers: Float64Array, leg: number): { body: string; motors: string } {
  const [x, y, z, a, b, c, hip, hipRange, thigh, , ankle, ankleRange, thighSize, ankleSize] = numbers;
  const ranges = [
    `${hip! - hipRange!} ${hip! + hipRange!}`,
    // The hip's range: as in the original.
    `${thigh! - hipRange!} ${thigh! + hipRange!}`,
    `${ankle! - ankleRange!} ${ankle! + ankleRange!}`,
  ];
  const body = `
      <body pos="${x} ${y} ${z}" euler="${a} ${b} ${c}">
        <joint name="hip${leg}" axis="0 1 0" range="${ranges[0]}"/>
        ${hipBoxes.map((box, i) => boxXml(box, i < 3 ? 'euler="0 0 1.57"' : '')).join('')}
        <body pos="0 0 ${thighSize}">
          <joint name="thigh${leg}" axis="1 0 0" range="${ranges[1]}"/>
          ${thighBoxes.map((box) => boxXml(box)).join('')}
          <body pos="0 0 ${ankleSize}">
            <joint name="ankle${leg}" axis="1 0 0" range="${ranges[2]}"/>
            ${shankBoxes.map((box) => boxXml(box)).join('')}
            <geom type="capsule" size="0.0103 0.0187" pos="0 0 0.082" mass="0.02"/>
          </body>
        </body>
      </body>`;
  const motors = ['hip', 'thigh', 'ankle'].map(
    (joint, i) => `<position joint="${joint}${leg}" ctrlrange="${ranges[i]}"/>`,
  );
  return { body, motors: motors.join('') };
}

function boxXml([pos, size, mass]: Box, more = ''): string {
  return `<geom pos="${pos}" size="${size}" mass="${mass}" ${more}/>`;
}
