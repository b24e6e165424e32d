import { expect, test } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'
import { canaries, everything, findLeaks } from '../../../server/observability/canaries'
import { createClient, sendEverywhere } from '../../../server/observability/leaky-requests'
import { openFreshDatabase } from '../../../support/database'
import { getPort, serverProcess, startProgram } from '../../../support/process'
import { createLandlord } from '../../../support/users'

// What spans hold is tested in process; here is what tracing does to a server as a process.

const bodies: string[] = []
const receiver = serveUntilEnd(async request => {
  bodies.push(`${new URL(request.url).pathname} ${await request.text()}`)
  return Response.json({})
})

/** Serves requests with canaries, and stops. */
async function serveTraced(OTEL_EXPORTER_OTLP_ENDPOINT: string) {
  await using database = await openFreshDatabase()
  const env = { PORT: '0', RUN_JOBS: 'false', DATABASE_URL: database.url, OTEL_EXPORTER_OTLP_ENDPOINT }
  const server = serverProcess(env)
  await server.listening
  const url = `http://127.0.0.1:${getPort(server)}`
  const landlord = await createLandlord(url)
  await landlord.put('/profile/complete', { first_name: canaries['first name'] })
  const client = createClient(url)
  client.state.token = landlord.token
  await sendEverywhere(client, everything)
  return { landlord, exitCode: await server.end('SIGTERM') }
}

test('spans are sent to the receiver before the end, without a canary', async () => {
  const { landlord, exitCode } = await serveTraced(receiver)

  expect(exitCode).toBe(0)
  expect(bodies.every(body => body.startsWith('/v1/traces '))).toBe(true)
  const text = bodies.join('\n').replace(/"(\w+TimeUnixNano|\w*[sS]panId|traceId)":"\w+"/g, '')
  expect(text.length).toBeGreaterThan(10_000)
  expect(findLeaks(text, { phone: landlord.phone, token: landlord.token })).toEqual([])
}, 60_000)

test('a server whose receiver cannot be reached answers, and ends', async () => {
  const { landlord, exitCode } = await serveTraced('http://127.0.0.1:9')
  expect([landlord.id > 0, exitCode]).toEqual([true, 0])
}, 60_000)

test('no tracing module is loaded unless tracing is on', async () => {
  const countLoaded = async (module: string) => {
    const code = `let loaded = 0; Bun.plugin({ name: 'seen', setup: build => void build.onLoad({ filter: /@opentelemetry.(sdk|exporter|context|resources)/ }, async ({ path }) => (loaded++, { contents: await Bun.file(path).text(), loader: 'js' })) }); await import('./server/${module}'); console.log(loaded)`
    const run = startProgram(['-e', code], {})
    expect(await run.end()).toBe(0)
    return Number(run.log())
  }
  expect(await countLoaded('observability/tracing')).toBeGreaterThan(3)
  expect(await countLoaded('process/server')).toBe(0)
})
