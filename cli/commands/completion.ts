import type { RootCommand } from '@bomb.sh/tab'
import { Argument, type Option } from 'commander'
import { CliCommand } from '../runtime/command'
import { readCredentials, type Credential } from '../runtime/credentials'
import { toFlag } from '../input/flags'
import type { Verb } from '../runtime/verbs'

type Profiles = [name: string, credential: Credential][]

export const verb: Verb = command =>
  command
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', scriptsHelp)
    .run(async (_, shell: string) => {
      const { script } = await import('@bomb.sh/tab')
      script(shell, 'kiraya', 'kiraya')
    })

/** What the script calls. */
export const complete: Verb = command =>
  command.argument('[words...]').run(async ({ terminal }, words: string[]) => {
    const { RootCommand, ShellCompDirective } = await import('@bomb.sh/tab')
    const program = command.parent as CliCommand
    if (isFileNext(program, words.slice(0, -1)))
      return terminal.out(`:${ShellCompDirective.ShellCompDirectiveDefault}`)
    const root = new RootCommand()
    describe(root, program, Object.entries(readCredentials(terminal.env)))
    root.parse([...words])
  })

const scriptsHelp = `
bash: echo 'source <(kiraya completion bash)' >> ~/.bashrc
zsh:  echo 'source <(kiraya completion zsh)' >> ~/.zshrc
fish: kiraya completion fish > ~/.config/fish/completions/kiraya.fish`

/** Describes every command with its flags, as the library wants them. */
function describe(root: RootCommand, program: CliCommand, profiles: Profiles) {
  const sharedOptions = program.options.filter(({ long }) => long !== '--version')
  for (const [path, command] of walk(program)) {
    const described = path === '' ? root : root.command(path, command.description())
    for (const option of new Set([...command.options, ...sharedOptions]))
      addOption(described, command, option, profiles)
    for (const argument of command.registeredArguments) {
      const name = argument.name()
      described.argument(name, offer(argument.argChoices, name === 'profile' ? profiles : []))
    }
  }
}

type Described = ReturnType<RootCommand['command']>

function addOption(described: Described, command: CliCommand, option: Option, profiles: Profiles) {
  const { long, hidden, required, optional, description, argChoices } = option
  if (hidden) return
  const flag = long!.slice(2)
  if (!required && !optional) return described.option(flag, description)
  const choices = argChoices ?? findField(command, long!)?.choices
  return described.option(flag, description, offer(choices, long === '--profile' ? profiles : []))
}

/** Offers words, or the stored sign-ins. */
const offer =
  (choices: readonly string[] = [], profiles: Profiles) =>
  (complete: (value: string, description: string) => void) => {
    for (const choice of choices) complete(choice, '')
    for (const [name, { phone, url }] of profiles) complete(name, `${phone}, ${url}`)
  }

function* walk(command: CliCommand, path = ''): Generator<[path: string, command: CliCommand]> {
  yield [path, command]
  for (const child of command.createHelp().visibleCommands(command))
    if (child instanceof CliCommand) yield* walk(child, `${path} ${child.name()}`.trim())
}

const findField = (command: CliCommand, flag: string) =>
  Object.entries(command.fields).find(([name, field]) => toFlag(name, field) === flag)?.[1]

/** Whether the word after these is the name of a file, which the shell completes. */
function isFileNext(program: CliCommand, words: string[]) {
  let command = program
  let argumentCount = 0
  const findOption = (flag = '') =>
    [...command.options, ...program.options].find(({ long, required }) => long === flag && required)
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || findOption(words[index - 1])) continue
    const child = command.commands.find(one => one.name() === word)
    if (child instanceof CliCommand) command = child
    else argumentCount++
  }
  const option = findOption(words.at(-1))
  if (option) return option.flags.includes('<file>')
  return command.registeredArguments[argumentCount]?.name() === 'file'
}
