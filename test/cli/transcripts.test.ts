import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
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
