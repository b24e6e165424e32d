import { describe, expect, test } from 'bun:test'
import { createRequests } from '../../cli/requests'
import { emptyPage } from '../sdk/stub-server'
import { createShell, recordTerminal, runAgainst } from './shell'

const env = { KIRAYA_TOKEN: 'hidden-token' }

test.each(['password', 'current_password', 'otp', 'pan', 'access_token'])(
  'a dry run does not show the %s of a request, nor its token',
  async name => {
    const { terminal, told } = recordTerminal()
    const { fetch, dryRunEnd } = createRequests(terminal, { dryRun: true })
    const body = JSON.stringify({ first_name: 'Asha', user: { [name]: 'hidden-1' } })

    void fetch('http://kiraya.test/x', { method: 'PUT', body, headers: { authorization: 'Bearer hidden-2' } })
    await dryRunEnd

    expect(told.join('\n')).toContain('Asha')
    expect(told.join('\n')).toContain('Bearer …')
    expect(told.join('\n')).not.toContain('hidden')
  },
)

describe('--dry-run', () => {
  test('shows the request of a change, and does not send it', async () => {
    const { exitCode, data, calls } = await runAgainst(emptyPage, 'property delete 7 --dry-run', { env })
    const headers = expect.objectContaining({ authorization: 'Bearer …' })
    expect([exitCode, calls]).toEqual([0, []])
    expect(data).toEqual({ method: 'DELETE', url: expect.stringMatching(/\/properties\/7$/), headers })
  })

  test.each([
    ['login --phone 9876543210 --password-stdin', { phone_number: '9876543210', password: '…' }],
    ['profile complete --first-name A --last-name B --email a@b.co --pan QWEPZ5678M', { pan: '…' }],
  ])('hides the secret of %s', async (commandLine, body) => {
    const { out, err, data } = await runAgainst(emptyPage, `${commandLine} --dry-run`, { stdin: 'horse' })
    expect(data.body).toMatchObject(body)
    expect(out + err).not.toMatch(/horse|QWEPZ/)
  })
})

test('--verbose reports each request on stderr, without tokens', async () => {
  const { out, err } = await runAgainst(emptyPage, 'property list --verbose', { env })
  expect(out).toBe('[]\n')
  expect(err).toMatch(/^> GET http:\S+\/properties\n< 200, \d+ ms\n$/)
})

test('doctor names the settings without their values, and a server that is not there', async () => {
  using shell = createShell('http://127.0.0.1:1')
  const run = await shell.kiraya('doctor', { env: { KIRAYA_OPS_TOKEN: 'a-secret' } })
  expect([run.exitCode, run.err]).toEqual([1, 'Failed: server, version, clock\n'])
  expect(run.out).toContain('KIRAYA_OPS_TOKEN')
  expect(run.out).not.toContain('a-secret')
})
