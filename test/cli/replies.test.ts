import { expect, test } from 'bun:test'
import { createContext } from '../../cli/context'
import type { FieldFlags } from '../../cli/field-flags'
import { submit } from '../../cli/inputs'
import { createTerminal } from '../../cli/terminal'
import { KirayaError } from '../../sdk'

type Body = { first_name: string; email?: string; amenities?: string[]; otp?: string }
const fields: FieldFlags<Body> = {
  first_name: { kind: 'text', isRequired: true },
  email: { kind: 'text' },
  amenities: { kind: 'texts', alias: 'amenity' },
  otp: { kind: 'text' },
}

const refuse = (...properties: string[]) =>
  new KirayaError('Wrong\u001b[2J', {
    code: 'VALIDATION_ERROR',
    details: properties.map(property => ({ property, constraints: {} })),
  })

/** What a person is asked and told who gives these flags and replies, while the server answers with failures first. */
async function submitAsPerson(options: object, replies: string[], failures: Error[], args: string[] = []) {
  const asked: string[] = []
  const told: string[] = []
  const bodies: Body[] = []
  const terminal = {
    ...createTerminal(),
    env: { HOME: '/nonexistent' },
    isInteractive: true,
    err: (text: string) => void told.push(text),
    ask: async ({ message }: { message: string }) => {
      asked.push(message)
      return replies.shift() ?? ''
    },
  }
  const send = async (body: Body) => {
    bodies.push(body)
    const failure = failures.shift()
    if (failure) throw failure
  }
  const context = createContext(terminal, {}, { args: ['profile', 'complete', ...args] })
  const error = await submit(context, fields, options, send).then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  return { asked, told, bodies, error }
}

test('an optional field that was refused may be left out', async () => {
  const { asked, bodies } = await submitAsPerson({ firstName: 'Asha', email: 'x' }, [''], [refuse('email')])
  expect(asked).toEqual(['Email'])
  expect(bodies).toEqual([{ first_name: 'Asha', email: 'x' }, { first_name: 'Asha' }])
})

test.each(['amenities.1', 'amenities[1]', 'amenities/1', 'amenities'])(
  'a refusal of %s asks for the whole field again, once',
  async property => {
    const { asked, bodies } = await submitAsPerson(
      { firstName: 'Asha', amenities: ['gym', 'x'] },
      ['gym , pool'],
      [refuse(property, property)],
    )
    expect(asked).toEqual(['Amenities'])
    expect(bodies[1]).toEqual({ first_name: 'Asha', amenities: ['gym', 'pool'] })
  },
)

test('a refusal is told without what controls a terminal', async () => {
  const { told } = await submitAsPerson({ firstName: 'Asha' }, ['Usha'], [refuse('first_name')])
  expect(told).toEqual(['Wrong [2J'])
})

test('a refusal of what has no flag ends the command', async () => {
  const failure = refuse('status')
  const { asked, error } = await submitAsPerson({ firstName: 'Asha' }, [], [failure])
  expect(error).toBe(failure)
  expect(asked).toEqual([])
})

test('the command line to go on with has the replies, but no one-time password', async () => {
  const failures = [refuse('otp', 'first_name'), new Error('The server is gone')]
  const { told, error } = await submitAsPerson({ firstName: 'Asha' }, ['123456', 'Usha Rani'], failures)
  expect(error!.message).toBe('The server is gone')
  expect(told.at(-1)).toEndWith("kiraya profile complete --first-name 'Usha Rani'")
})

test.each([
  [['--amenities', 'gym', '--email', 'a@b.co']],
  [['--amenity=gym', '--email', 'a@b.co']],
  [['--amenity', 'gym', '--amenities', 'x', '--email', 'a@b.co']],
])('a reply replaces its flag in %j', async args => {
  const failures = [refuse('amenities'), new Error('The server is gone')]
  const options = { firstName: 'Asha', amenities: ['gym'] }
  const { told } = await submitAsPerson(options, ['lift, pool'], failures, args)
  expect(told.at(-1)).toEndWith('kiraya profile complete --email a@b.co --amenity lift --amenity pool')
})

test('a question that is part of another says once how to go on', async () => {
  const told: string[] = []
  const terminal = {
    ...createTerminal(),
    env: { HOME: '/nonexistent' },
    isInteractive: true,
    err: (text: string) => void told.push(text),
    ask: async () => 'Asha',
  }
  const context = createContext(terminal, {}, { args: ['onboard'] })
  const fail = async () => {
    throw new Error('The server is gone')
  }
  const ask = () => submit<Body, unknown>(context, fields, {}, fail)

  await expect(submit<Body, unknown>(context, fields, {}, ask)).rejects.toThrow('The server is gone')

  expect(told.filter(line => line.includes('kiraya onboard'))).toHaveLength(1)
})
