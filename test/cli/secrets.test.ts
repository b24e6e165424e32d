import { expect, test } from 'bun:test'
import { createRequests } from '../../cli/runtime/requests'
import { emptyPage } from '../sdk/stub-server'
import { recordTerminal, runAgainst } from './shell'

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

test.each([
  ['login --phone 9876543210 --password-stdin', { phone_number: '9876543210', password: '…' }],
  ['profile complete --first-name A --last-name B --email a@b.co --pan QWEPZ5678M', { pan: '…' }],
])('--dry-run hides the secret of %s, and sends nothing', async (commandLine, body) => {
  const run = await runAgainst(emptyPage, `${commandLine} --dry-run`, { stdin: 'horse' })
  expect([run.data.body, run.calls]).toMatchObject([body, []])
  expect(run.out + run.err).not.toMatch(/horse|QWEPZ/)
})
