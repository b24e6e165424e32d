import type { CliCommand } from '../../../cli/runtime/command'
import { createProgram } from '../../../cli/runtime/program'
import { createTerminal } from '../../../cli/runtime/terminal'
import { toArguments } from '../shell'

export const program = await createProgram({ ...createTerminal(), columns: 100 }, false)

export function readHelp(command: CliCommand) {
  const written: string[] = []
  command.configureOutput({ writeOut: text => void written.push(text) })
  command.outputHelp()
  return written.join('')
}

/** The examples in the help of a command, each of which may go on in the next line. */
export const listExamples = (help: string) =>
  [...help.matchAll(/^ {2}(kiraya .*(?:\n {4}.*)*)$/gm)].map(([, line]) => line!.replaceAll('\n    ', '\n  '))

export const toWords = (example: string) => toArguments(example.replaceAll(/\\\n\s*/g, '')).slice(1)

/** Finds the command that words begin with. */
export function findCommand(words: string[]) {
  let found = program
  for (const word of words) found = (found.commands.find(one => one.name() === word) as CliCommand) ?? found
  return found
}
