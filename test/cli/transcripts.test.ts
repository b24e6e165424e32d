import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { CliCommand } from '../../cli/command'
import { createProgram } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'
import { createHome } from './transcripts/run'

// A transcript has command lines, each with what it did; an empty line ends a session with a home of its own.
// RECORD=transcripts writes what the commands do now, for you to read what changed.

const folder = join(import.meta.dir, 'transcripts')
const names = [...new Glob('*.txt').scanSync(folder)].toSorted()
const isRecording = process.env.RECORD === 'transcripts'
const PROMPT = '$ '

const readSessions = async (name: string) =>
  (await Bun.file(join(folder, name)).text()).trimEnd().split('\n\n')

const toTitle = (session: string) => session.split('\n').find(line => line.startsWith(PROMPT)) ?? session

/** Runs the command lines of a session; its comments stay. */
async function runSession(session: string) {
  using home = createHome()
  const lines: string[] = []
  for (const line of session.split('\n')) {
    if (line.startsWith('#')) lines.push(line)
    if (line.startsWith(PROMPT)) lines.push(line, ...(await home.run(line.slice(PROMPT.length))))
  }
  return lines.join('\n')
}

const transcripts = await Promise.all(names.map(async name => ({ name, sessions: await readSessions(name) })))

describe.each(transcripts)('$name', ({ name, sessions }) => {
  const cases = sessions.map((session, index) => [toTitle(session), session, index] as const)
  test.each(cases)('%s', async (_, session, index) => {
    const told = await runSession(session)
    if (!isRecording) expect(told).toBe(session)
    sessions[index] = told
    if (isRecording) await Bun.write(join(folder, name), `${sessions.join('\n\n')}\n`)
  })
})

function* walk(command: CliCommand, path = 'kiraya'): Generator<[path: string, command: CliCommand]> {
  yield [path, command]
  for (const child of command.createHelp().visibleCommands(command))
    if (child.name() !== 'help') yield* walk(child as CliCommand, `${path} ${child.name()}`)
}

const prompts = transcripts
  .flatMap(({ sessions }) => sessions.join('\n').split('\n'))
  .filter(line => line.startsWith(PROMPT))
const commands = [...walk(createProgram(createTerminal(), [], false))]

test.each(commands)('a transcript has the help of %s', path => {
  expect(prompts).toContain(`${PROMPT}${path} --help`)
})

const leaves = commands.filter(([, command]) => command.commands.length === 0)

test.each(leaves)('transcripts run %s in a pipe, at a terminal and in Hindi', path => {
  const used = selectPrompts(path).filter(prompt => !prompt.includes('--help'))
  const isPiped = (prompt: string) => prompt.endsWith('| cat')
  expect([used.some(isPiped), used.some(prompt => !isPiped(prompt))]).toEqual([true, true])
  expect(used.some(prompt => prompt.includes('LANG=hi'))).toBe(true)
})

test.each(leaves)('transcripts use each flag of %s', (path, { options }) => {
  const words = selectPrompts(path).flatMap(prompt => prompt.split(' '))
  expect(options.map(({ long }) => long!).filter(flag => !words.includes(flag))).toEqual([])
})

const selectPrompts = (path: string) => prompts.filter(prompt => `${prompt} `.includes(`${path} `))
