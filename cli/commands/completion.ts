import type { RootCommand } from '@bomb.sh/tab'
import { Argument, type Option } from 'commander'
import { loadCandidates, type Candidate, type CandidateKind } from '../candidates'
import { CliCommand } from '../command'
import { createContext, type Context } from '../context'
import { readCredentials } from '../credentials'
import { toFlag } from '../field-flags'
import { fieldKinds } from '../field-kinds'

const LOAD_TIMEOUT_MS = 2_000
const shells = ['bash', 'zsh', 'fish']

/** Adds the command that prints a shell's script, and the hidden one that the script calls. */
export function addCompletionCommand(program: CliCommand) {
  program
    .command('completion')
    .description('Print the script with which a shell completes commands, flags and names')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', scriptsHelp)
    .run(async (_, shell: string) => {
      const { script } = await import('@bomb.sh/tab')
      script(shell, 'kiraya', 'kiraya')
    })

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .run(async (context, words: string[]) => {
      const { RootCommand, ShellCompDirective } = await import('@bomb.sh/tab')
      const next = findNext(program, words.slice(0, -1))
      if (next.kind === 'file')
        return context.terminal.out(`:${ShellCompDirective.ShellCompDirectiveDefault}`)
      const candidates = await loadNext(toNamedContext(context, words), next)
      const root = new RootCommand()
      describe(root, program, candidates)
      root.parse([...words])
    })
}

const scriptsHelp = `
bash: echo 'source <(kiraya completion bash)' >> ~/.bashrc
zsh:  echo 'source <(kiraya completion zsh)' >> ~/.zshrc
fish: kiraya completion fish > ~/.config/fish/completions/kiraya.fish`

/** Describes every command with its flags, as the library wants them. */
function describe(root: RootCommand, program: CliCommand, candidates: Candidate[]) {
  const offer = (complete: (value: string, description: string) => void) => {
    for (const { value, description } of candidates) complete(value, description)
  }
  const sharedOptions = program.options.filter(({ long }) => long !== '--version')
  for (const [path, command] of walk(program)) {
    const described = path === '' ? root : root.command(path, command.description())
    for (const option of new Set([...command.options, ...sharedOptions]))
      addOption(described, command, option, offer)
    for (const argument of command.registeredArguments)
      described.argument(argument.name(), complete => {
        if (argument.argChoices) for (const choice of argument.argChoices) complete(choice, '')
        else offer(complete)
      })
  }
}

type Described = ReturnType<RootCommand['command']>
type Offer = (complete: (value: string, description: string) => void) => void

function addOption(described: Described, command: CliCommand, option: Option, offer: Offer) {
  const flag = option.long!.slice(2)
  if (option.hidden) return
  if (!option.required && !option.optional) return described.option(flag, option.description)
  const choices = findField(command, option.long!)?.choices
  return described.option(flag, option.description, complete => {
    if (choices) for (const choice of choices) complete(choice, '')
    else offer(complete)
  })
}

function* walk(command: CliCommand, path = ''): Generator<[path: string, command: CliCommand]> {
  yield [path, command]
  for (const child of command.createHelp().visibleCommands(command))
    if (child instanceof CliCommand) yield* walk(child, `${path} ${child.name()}`.trim())
}

const findField = (command: CliCommand, flag: string) =>
  Object.entries(command.fields).find(([name, field]) => toFlag(name, field) === flag)?.[1]

/** The words may name a profile or a server. */
function toNamedContext({ terminal }: Context, words: string[]) {
  const findValue = (flag: string) => words.find((_, index) => words[index - 1] === flag)
  return createContext(terminal, { profile: findValue('--profile'), url: findValue('--url') })
}

/** What the last word may name, and the arguments before it. */
type Next = { kind?: CandidateKind | 'file' | 'profile'; before: string[] }

/** Loads what the last word may name. Of the server's records, nothing is offered without a sign-in or a server. */
async function loadNext(context: Context, { kind, before }: Next): Promise<Candidate[]> {
  if (kind === 'profile') return listProfiles(context)
  if (!kind || kind === 'file' || !context.token) return []
  const client = await context.client()
  const { promise: tooLate, resolve } = Promise.withResolvers<Candidate[]>()
  setTimeout(resolve, LOAD_TIMEOUT_MS, []).unref()
  return Promise.race([loadCandidates(client, kind, before).catch(() => []), tooLate])
}

function listProfiles({ terminal }: Context): Candidate[] {
  const profiles = Object.entries(readCredentials(terminal.env))
  return profiles.map(([value, { phone, url }]) => ({ value, description: `${phone}, ${url}` }))
}

/** Finds the command that the words name, and what comes next. */
function findNext(program: CliCommand, words: string[]): Next {
  let command = program
  const before: string[] = []
  const findOption = (flag = '') =>
    [...command.options, ...program.options].find(({ long, required }) => long === flag && required)
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || findOption(words[index - 1])) continue
    const child = findChild(command, word)
    if (child instanceof CliCommand) command = child
    else before.push(word)
  }
  const option = findOption(words.at(-1))
  if (option) return { kind: toOptionKind(command, option), before }
  const argument = command.registeredArguments[before.length]?.name()
  if (argument === 'file' || argument === 'profile') return { kind: argument, before }
  const record = command.records[before.length]
  return { kind: record === 'signature' ? 'person' : record, before }
}

const findChild = (command: CliCommand, word: string) => command.commands.find(child => child.name() === word)

function toOptionKind(command: CliCommand, { flags, long }: Option): Next['kind'] {
  if (long === '--profile') return 'profile'
  if (flags.includes('<file>')) return 'file'
  const field = findField(command, long!)
  const record = field && fieldKinds[field.kind].record
  return record === 'unit' ? 'unit path' : record
}
