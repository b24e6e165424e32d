import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'bun:test'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createLandlordShell, createLease, createShell, OTP } from './shell'

const server = testServer({ env: { OPS_TOKEN: 'a token for those who run it' } })
const guarded = testServer({ env: { SANDBOX_TOKEN: 'the token of the sandbox' } })

test('a wrong or missing token of operators or of the sandbox is named by its variable', async () => {
  using shell = createShell(server.url)
  const env = { KIRAYA_OPS_TOKEN: 'wrong' }

  const wrong = await shell.kiraya('ops jobs', { env })
  const unset = await shell.kiraya(`ops jobs --url ${guarded.url}`, { env })
  const sandbox = await shell.kiraya(`sandbox state --url ${guarded.url}`)

  expect([wrong.exitCode, unset.exitCode, sandbox.exitCode]).toEqual([4, 5, 4])
  expect(wrong.err).toContain("KIRAYA_OPS_TOKEN is not the server's OPS_TOKEN")
  expect(unset.err).toContain('The server has no OPS_TOKEN')
  expect(sandbox.err).toContain("KIRAYA_SANDBOX_TOKEN to the server's SANDBOX_TOKEN")
  expect(wrong.err + unset.err + sandbox.err).not.toMatch(/Sign in:|list command/)
})

test('what is not found is found where the advice says', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createLease(shell, server.url)

  const document = await shell.kiraya(`agreement document ${draft.id}`)
  const request = await shell.kiraya('sandbox sign nosuch')

  expect(document.err).toContain('kiraya agreement signatures')
  expect(request.err).toContain('kiraya sandbox state')
  expect(document.err + request.err).not.toContain('list command')
})

test('an agreement that awaits signatures is revised or terminated instead', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createLease(shell, server.url)
  await shell.kiraya(`agreement sign ${draft.id}`)

  const deleted = await shell.kiraya(`agreement delete ${draft.id} --yes`)
  const changed = await shell.kiraya(`agreement update ${draft.id} --rent 1`)
  const completed = await shell.kiraya(`agreement complete ${draft.id} --yes`)

  expect([deleted.exitCode, changed.exitCode]).toEqual([7, 7])
  expect(deleted.err).toContain('cannot be deleted; revise or terminate it')
  expect(changed.err).toContain('cannot be changed; revise or terminate it')
  expect(completed.err).not.toContain('revise')
})

test("a wrong one-time password of the sandbox names the server's setting", async () => {
  using shell = createShell(server.url)
  const smoke = await shell.kiraya('smoke --only sign-in --otp 654321')
  expect(smoke.exitCode).toBe(4)
  expect(smoke.err).toContain("--otp must be the server's SANDBOX_OTP")
})

test('a profile that is not stored is named', async () => {
  using shell = createShell(server.url)
  const status = await shell.kiraya('status --profile nosuch')
  await shell.kiraya(`onboard --profile new --phone ${freshPhone()} --otp ${OTP}`)

  expect(status.exitCode).toBe(4)
  expect(status.err).toContain('No sign-in is stored as nosuch')
  expect(status.err).toContain('Sign in: kiraya --profile nosuch login')
})

test('an unreachable server is named with its address and the cause', async () => {
  using shell = createShell(server.url)
  const talker = createServer(socket => socket.end('SSH-2.0-x\r\n\r\n')).listen(0, '127.0.0.1')
  await once(talker, 'listening')
  const { port } = talker.address() as AddressInfo

  const refused = await shell.kiraya('status --url http://127.0.0.1:1')
  const unknown = await shell.kiraya('status --url http://no.such.host.invalid --json')
  const other = await shell.kiraya(`status --url https://127.0.0.1:${port}`)
  talker.close()

  expect([refused.exitCode, unknown.exitCode, other.exitCode]).toEqual([8, 8, 8])
  expect(refused.err).toContain('http://127.0.0.1:1 is unreachable: the connection was refused')
  expect(unknown.err).toContain('http://no.such.host.invalid is unreachable: the host is unknown')
  expect(other.err).toContain(`https://127.0.0.1:${port} is unreachable: what answers there`)
})
