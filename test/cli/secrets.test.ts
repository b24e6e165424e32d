import { expect, test } from 'bun:test'
import { createRequests } from '../../cli/runtime/requests'
import { recordTerminal } from './shell'

test.each(['password', 'current_password', 'otp', 'pan', 'access_token'])(
  'a dry run does not show the %s of a request, nor its token',
  async name => {
    const { terminal, told } = recordTerminal()
    const { fetch, dryRunEnd } = createRequests(terminal, { dryRun: true })
    const body = JSON.stringify({ first_name: 'Asha', user: { [name]: 'hidden-1' } })

    const headers = { authorization: 'Bearer hidden-2', 'content-type': 'application/json' }
    void fetch('http://kiraya.test/x', { method: 'PUT', body, headers })
    await dryRunEnd

    expect(told.join('\n')).toContain('Asha')
    expect(told.join('\n')).toContain('Bearer …')
    expect(told.join('\n')).not.toContain('hidden')
  },
)
