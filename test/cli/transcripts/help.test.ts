import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { CliCommand } from '../../../cli/runtime/command'
import { createProgram } from '../../../cli/runtime/program'
import { createTerminal } from '../../../cli/runtime/terminal'
import { findCommand, listExamples, program, readHelp, toWords } from './help'

function* walk(command: CliCommand, path: string): Generator<[path: string, command: CliCommand]> {
  yield [path, command]
  for (const child of command.createHelp().visibleCommands(command))
    if (child.name() !== 'help') yield* walk(child as CliCommand, `${path} ${child.name()}`)
}

/** The name of a field, and the kind of its value, say enough of a flag. */
const listFieldFlags = ({ fields }: CliCommand) =>
  Object.entries(fields)
    .flatMap(([name, { alias }]) => [name.replaceAll('_', '-'), alias])
    .map(flag => `--${flag}`)

const commands = [...walk(program, 'kiraya')]
const leaves = commands.filter(([, command]) => command.commands.length === 0)

describe.each(commands)('the help of %s', (path, command) => {
  const help = readHelp(command)

  test('says what the command does, and what its arguments and flags are', () => {
    const fieldFlags = listFieldFlags(command)
    const { options, registeredArguments } = command
    expect(help).toStartWith(`Usage: ${path} `)
    expect(command.description()).toMatch(/^[A-Z]/)
    for (const argument of registeredArguments)
      expect([path, argument.argChoices ?? argument.description]).not.toEqual([path, ''])
    for (const { long, hidden, description } of options) {
      expect([long, help.includes(`${long} `)]).toEqual([long, !hidden])
      expect([long, Boolean(description) || fieldFlags.includes(long!)]).toEqual([long, true])
    }
  })

  test('has examples that the program understands', () => {
    for (const words of listExamples(help).map(toWords)) {
      const flags = [...findCommand(words).options, ...program.options].map(({ long }) => long!)
      const used = words.filter(word => word.startsWith('--'))
      expect(used.filter(flag => !flags.includes(flag))).toEqual([])
      if (command !== program) expect(`kiraya ${words.join(' ')}`).toStartWith(path)
    }
  })
})

test('a command line imports the verbs of the nouns that it names, and no others', async () => {
  const { commands } = await createProgram(createTerminal(), false, ['unit', 'list', '--help'])
  const countVerbs = (noun: string) => commands.find(one => one.name() === noun)!.commands.length
  expect([countVerbs('unit') > 0, countVerbs('property')]).toEqual([true, 0])
})

test('commands that create something have an example', () => {
  const creating = leaves.filter(([path]) =>
    / (create|add|propose|credit|refund|allocate|settle)$/.test(path),
  )
  expect(creating.length).toBeGreaterThan(10)
  const without = creating.filter(([, command]) => listExamples(readHelp(command)).length === 0)
  expect(without.map(([path]) => path)).toEqual([])
})

test('a transcript has a run of every command that succeeds', async () => {
  const files = [...new Glob('*.txt').scanSync(import.meta.dir)]
  const texts = await Promise.all(files.map(name => Bun.file(join(import.meta.dir, name)).text()))
  const runs = texts.join('\n').split(/^\$ /m)
  const succeeded = runs.filter(run => !/^= \d+$/m.test(run)).map(run => `${run.split('\n')[0]} `)
  const isRun = (path: string) =>
    succeeded.some(prompt => prompt.includes(`${path} `) && !prompt.includes(' --help '))
  // The scripts of completion come from a library.
  expect(leaves.map(([path]) => path).filter(path => !isRun(path))).toEqual(['kiraya completion'])
})
