import { describe, expect, test } from 'bun:test'
import { createContext } from '../../cli/runtime/context'
import { UsageError } from '../../cli/runtime/errors'
import type { FieldFlagTable } from '../../cli/input/flags'
import { submit } from '../../cli/input/values'
import { KirayaError } from '../../sdk'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createLandlordShell, createShell, OTP, recordTerminal } from './shell'

const server = testServer()

test('onboard asks again for a wrong phone number, one-time password and e-mail', async () => {
  using shell = createShell(server.url)
  const phone = freshPhone()
  const spoken = `+91 ${phone.slice(0, 5)} ${phone.slice(5)}`
  const names = ['Asha', 'Rao', 'asha', 'asha@example.com']

  const person = await shell.ask('onboard', ['12345', spoken, '000000', OTP, ...names, ''])

  expect(person).toMatchObject({ exitCode: 0, unused: [] })
  const otp = 'One-time password'
  const asked = ['Phone number', 'Phone number', otp, otp, 'First name', 'Last name', 'Email', 'Email']
  expect(person.questions).toEqual([...asked, expect.stringContaining('Press Enter')])
  expect(person.err).toMatch(/--phone must be [^]*is wrong[^]*--email must be /)
  expect(await shell.getData('status')).toMatchObject({
    phone,
    email: 'asha@example.com',
    status: 'LOGIN_SUCCESSFUL',
  })
})

test('onboard and profile complete warn of a name that documents cannot show', async () => {
  using shell = createShell(server.url)
  const names = '--first-name Asha --last-name ᤁᤂ --email asha@example.com'
  const onboarded = await shell.kiraya(`onboard --phone ${freshPhone()} --otp ${OTP} ${names}`)
  expect([onboarded.exitCode, onboarded.err]).toEqual([
    0,
    expect.stringContaining('Warning: Documents cannot'),
  ])
  await shell.kiraya(`login --phone ${freshPhone()} --otp ${OTP}`)
  const { err } = await shell.kiraya(`profile complete ${names}`)
  expect(err).toMatch(/^Your profile is complete\nWarning: Documents cannot/)
})

test('a reply of spaces is none, and those within a reply stay', async () => {
  using shell = await createLandlordShell(server.url)
  const replies = ['   ', '  Entered  twice  ']
  const shown = await shell.ask('payment reverse 12 --yes --dry-run', replies)
  expect(shown).toMatchObject({ exitCode: 0, mistakes: ['Required'] })
  expect(shown.out).toContain('"reason": "Entered  twice"')
})

describe('a confirmation', () => {
  const confirm = (reply: string) => {
    const { terminal } = recordTerminal({ isInteractive: true, ask: async () => reply })
    return createContext(terminal, { profile: 'default' }).confirm('Delete it')
  }

  test.each(['y', 'Y', 'yes', 'Yes', 'YES'])('is %p', async reply => {
    expect(await confirm(reply)).toBeUndefined()
  })

  test.each(['', 'n', 'no', 'yeah', 'ye', 'y n', 'oh yes'])('is not %p', async reply => {
    await expect(confirm(reply)).rejects.toThrow(UsageError)
  })
})

describe('a refusal', () => {
  type Body = { first_name: string; email?: string; amenities?: string[] }
  const fields: FieldFlagTable = {
    first_name: { kind: 'text', isRequired: true },
    email: { kind: 'text' },
    amenities: { kind: 'texts', alias: 'amenity' },
  }
  const refuse = (...properties: string[]) =>
    new KirayaError('Wrong\u001b[2J', {
      code: 'VALIDATION_ERROR',
      details: properties.map(property => ({ property, constraints: {} })),
    })

  /** What a person is asked and told while the server refuses the first body. */
  async function submitAsPerson(options: object, reply: string, failure: Error) {
    const [asked, bodies]: [string[], Body[]] = [[], []]
    const ask = async ({ message }: { message: string }) => {
      asked.push(message)
      return reply
    }
    const { terminal, told } = recordTerminal({ isInteractive: true, ask })
    const send = async (body: Body) => {
      bodies.push(body)
      if (bodies.length === 1) throw failure
    }
    const error = await submit(createContext(terminal, {}), fields, options, send).catch(thrown => thrown)
    return { asked, told, bodies, error }
  }

  test('of an optional field lets a person leave it out, and shows nothing that controls a terminal', async () => {
    const { asked, bodies, told } = await submitAsPerson(
      { firstName: 'Asha', email: 'x' },
      '',
      refuse('email'),
    )
    expect([asked, told]).toEqual([['Email'], ['Wrong [2J']])
    expect(bodies).toEqual([{ first_name: 'Asha', email: 'x' }, { first_name: 'Asha' }])
  })

  test.each(['amenities.1', 'amenities[1]', 'amenities/1', 'amenities'])(
    'of %s asks for the whole field again, once',
    async property => {
      const options = { firstName: 'Asha', amenities: ['gym', 'x'] }
      const { asked, bodies } = await submitAsPerson(options, 'gym , pool', refuse(property, property))
      expect(asked).toEqual(['Amenities'])
      expect(bodies[1]).toEqual({ first_name: 'Asha', amenities: ['gym', 'pool'] })
    },
  )

  test('of what has no flag ends the command', async () => {
    const failure = refuse('status')
    const { asked, error } = await submitAsPerson({ firstName: 'Asha' }, '', failure)
    expect([asked, error]).toEqual([[], failure])
  })
})
