/** The first heads of a table of designs: its number, and a head per setting. */
export function SettingHeads({
  names,
  cells,
}: {
  readonly names: readonly string[];
  /** Of one design: columns of numbers are set to the right. */
  readonly cells: Readonly<Record<string, unknown>>;
}) {
  return (
    <>
      <th scope="col">#</th>
      {names.map((name) => (
        <th key={name} scope="col" className={typeof cells[name] === 'number' ? 'number' : ''}>
          {name}
        </th>
      ))}
    </>
  );
}
