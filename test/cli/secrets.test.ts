import { expect, test } from 'bun:test'
import { toMessage } from '../../cli/exit-codes'
import { createRequests } from '../../cli/requests'
import { createTerminal } from '../../cli/terminal'

test.each(['password', 'current_password', 'otp', 'pan', 'access_token'])(
  'a dry run does not show the %s of a request, nor its token',
  async name => {
    const shown: string[] = []
    const out = (text: string) => void shown.push(text)
    const { fetch, dryRunEnd } = createRequests({ ...createTerminal(), env: {}, out }, { dryRun: true })
    const body = JSON.stringify({ first_name: 'Asha', user: { [name]: 'hidden-1' } })
    const headers = { authorization: 'Bearer hidden-2' }

    void fetch('http://kiraya.test/x', { method: 'PUT', body, headers })
    await dryRunEnd

    expect(shown.join('\n')).toContain('Asha')
    expect(shown.join('\n')).toContain('Bearer …')
    expect(shown.join('\n')).not.toContain('hidden')
  },
)

test.each([
  ['ENOENT', 'There is no file or folder houses.csv'],
  ['ENOTDIR', 'There is no file or folder houses.csv'],
  ['EISDIR', 'houses.csv is a folder, not a file'],
  ['EACCES', 'You may not read or write houses.csv'],
  ['EPERM', 'You may not read or write houses.csv'],
  ['EROFS', 'You may not read or write houses.csv'],
])('the failure %s of a file is told as: %s', (code, sentence) => {
  const error = Object.assign(new Error('raw words'), { code, path: 'houses.csv' })
  expect(toMessage(error, 'en')).toContain(sentence)
  expect(toMessage(error, 'en')).not.toContain('raw words')
})
