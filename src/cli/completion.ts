/** Completion scripts for shells, made from the commands as they are. */
import { Argument, type Command, type Option } from 'commander';
import { writeOut } from './screen.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What a shell can complete of a command. */
interface CommandSpec {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionSpec[];
  /** Values of its first argument, where there are few; null where it is a file. */
  readonly choices: readonly string[] | null;
  /** Names of subcommands, such as `list` of `runs list`. */
  readonly parts: readonly string[];
  readonly takesArgument: boolean;
}

interface OptionSpec {
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

/** Options whose value is the name of a file or folder. */
const fileOptions: readonly string[] = ['--output', '--out', '--from', '--add', '--svg'];

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that lets a shell complete commands, options and file names')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      [
        '',
        'Once per shell:',
        '  bash   nemokit completion bash >> ~/.bashrc',
        `  zsh    nemokit completion zsh > "\${fpath[1]}/_nemokit"`,
        '  fish   nemokit completion fish > ~/.config/fish/completions/nemokit.fish',
      ].join('\n'),
    )
    .action((shell: Shell) => {
      writeOut(completionScript(program, shell));
    });
}

export function completionScript(program: Command, shell: Shell): string {
  const commands = program.commands.map((command) => commandSpec(command, globalOptions(program)));
  const globals = globalOptions(program).map(optionSpec);
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program.name(), commands, globals);
}

function globalOptions(program: Command): readonly Option[] {
  return program.createHelp().visibleOptions(program);
}

function commandSpec(command: Command, globals: readonly Option[]): CommandSpec {
  // Of a command with subcommands, the options of all of them.
  const parts = command.commands.length > 0 ? command.commands : [command];
  const local = unique(parts.flatMap((part) => part.createHelp().visibleOptions(part)));
  const inherited = globals.filter(({ long }) => long === '--no-color');
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.description(),
    options: [...local, ...inherited].map(optionSpec),
    choices: argument?.argChoices ?? null,
    parts: command.commands.map((part) => part.name()),
    takesArgument: argument !== undefined || command.commands.length > 0,
  };
}

function unique(options: readonly Option[]): Option[] {
  return [...new Map(options.map((option) => [option.long, option])).values()];
}

function optionSpec(option: Option): OptionSpec {
  return {
    flags: [option.long, option.short].filter((flag) => flag !== undefined && flag !== null),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
    isFile: fileOptions.includes(option.long ?? ''),
  };
}

function bashScript(name: string, commands: readonly CommandSpec[], globals: readonly OptionSpec[]): string {
  const values = ({ options }: CommandSpec) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices, isFile }) => {
        const answer =
          choices.length > 0
            ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur"))`
            : isFile
              ? 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))'
              : 'COMPREPLY=()';
        return `        ${flags.join('|')}) ${answer}; return ;;`;
      });
  const cases = commands.map((command) => {
    const flags = command.options.flatMap((option) => option.flags).join(' ');
    const files = 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))';
    const words = (list: readonly string[]) => `COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$cur"))`;
    const plain = command.choices
      ? words(command.choices)
      : command.parts.length > 0
        ? `if [[ $prev == ${command.name} ]]; then ${words(command.parts)}; else ${files}; fi`
        : command.takesArgument
          ? files
          : 'COMPREPLY=()';
    const known = values(command);
    return [
      `    ${command.name})`,
      ...(known.length > 0 ? ['      case "$prev" in', ...known, '      esac'] : []),
      `      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '${flags}' -- "$cur")); else ${plain}; fi`,
      '      ;;',
    ].join('\n');
  });
  const first = [...commands.map((command) => command.name), ...globals.flatMap(({ flags }) => flags)];
  return [
    `# Completion of ${name} in bash; made by: ${name} completion bash`,
    `_${name}() {`,
    `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= i`,
    '  COMPREPLY=()',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    `    if [[ \${COMP_WORDS[i]} != -* ]]; then command=\${COMP_WORDS[i]}; break; fi`,
    '  done',
    '  case "$command" in',
    `    '') COMPREPLY=($(compgen -W '${first.join(' ')}' -- "$cur")) ;;`,
    ...cases,
    '  esac',
    '}',
    `complete -F _${name} ${name}`,
    '',
  ].join('\n');
}

function zshScript(name: string, commands: readonly CommandSpec[], globals: readonly OptionSpec[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&');
  const specs = (options: readonly OptionSpec[]) =>
    options.flatMap(({ flags, description, takesValue, choices, isFile }) => {
      const action = choices.length > 0 ? `(${choices.join(' ')})` : isFile ? '_files' : ' ';
      // The star lets an option be repeated.
      return flags.map((flag) =>
        quote(`*${flag}[${escaped(description)}]${takesValue ? `:value:${action}` : ''}`),
      );
    });
  const cases = commands.map((command) => {
    const action = command.choices ? `(${command.choices.join(' ')})` : '_files';
    const argument = [
      ...(command.parts.length > 0 ? [quote(`1:command:(${command.parts.join(' ')})`)] : []),
      ...(command.takesArgument ? [quote(`*:argument:${action}`)] : []),
    ];
    return `    ${command.name}) _arguments ${[...specs(command.options), ...argument].join(' ')} ;;`;
  });
  return [
    `#compdef ${name}`,
    `# Completion of ${name} in zsh; made by: ${name} completion zsh`,
    `_${name}() {`,
    '  local curcontext="$curcontext" state line',
    `  _arguments -C ${specs(globals).join(' ')} '1:command:->command' '*::argument:->argument'`,
    '  case $state in',
    '  command)',
    '    local -a commands',
    `    commands=(${commands.map((command) => quote(`${command.name}:${escaped(command.description)}`)).join(' ')})`,
    "    _describe 'command' commands",
    '    ;;',
    '  argument)',
    '    case $line[1] in',
    ...cases,
    '    esac',
    '    ;;',
    '  esac',
    '}',
    `if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi`,
    '',
  ].join('\n');
}

function fishScript(name: string, commands: readonly CommandSpec[], globals: readonly OptionSpec[]): string {
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  const option = (condition: string, { flags, description, takesValue, choices, isFile }: OptionSpec) => {
    const names = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    const value = !takesValue
      ? ''
      : choices.length > 0
        ? ` -x -a ${quote(choices.join(' '))}`
        : isFile
          ? ' -r -F'
          : ' -x';
    return `complete -c ${name} -n ${quote(condition)} ${names.join(' ')}${value} -d ${quote(description)}`;
  };
  const none = '__fish_use_subcommand';
  const lines = commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    const argument = command.choices
      ? [`complete -c ${name} -n ${quote(seen)} -f -a ${quote(command.choices.join(' '))}`]
      : command.parts.length > 0
        ? [
            `complete -c ${name} -n ${quote(`${seen}; and not __fish_seen_subcommand_from ${command.parts.join(' ')}`)} -f -a ${quote(command.parts.join(' '))}`,
          ]
        : command.takesArgument
          ? []
          : [`complete -c ${name} -n ${quote(seen)} -f`];
    return [
      `complete -c ${name} -n ${quote(none)} -f -a ${command.name} -d ${quote(command.description)}`,
      ...argument,
      ...command.options.map((spec) => option(seen, spec)),
    ];
  });
  return [
    `# Completion of ${name} in fish; made by: ${name} completion fish`,
    ...globals.map((spec) => option(none, spec)),
    ...lines,
    '',
  ].join('\n');
}
