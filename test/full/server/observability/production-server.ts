import { join } from 'node:path'
import { toProviderSettings } from '../../../server/observability/leaky-provider'
import { canaries } from '../../../server/observability/canaries'

const root = join(import.meta.dir, '../../../..')

type Provider = { url: string; authorityFile: string }

function createSettings({ url: providerUrl, authorityFile }: Provider) {
  return {
    NODE_EXTRA_CA_CERTS: authorityFile,
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://api.example.com',
    LOG_LEVEL: 'debug',
    ...toProviderSettings(providerUrl),
    JWT_SECRET: canaries['JWT secret'],
    CREDENTIALS_KEY: canaries['credentials key'],
    OPS_TOKEN: canaries['operations token'],
  }
}

const children = new Set<Bun.Subprocess>()
export function killServers() {
  for (const child of children) child.kill('SIGKILL')
}

/** Starts the server in production mode, and collects the output of the log and the runtime. */
export function startProductionServer(
  provider: Provider,
  settings: Record<string, string>,
  ...flags: string[]
) {
  const child = Bun.spawn([process.execPath, ...flags, 'server/index.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...createSettings(provider), ...settings },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  children.add(child)
  let output = ''
  const read = Promise.all(
    [child.stdout, child.stderr].map(async stream => {
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) output += chunk
    }),
  )
  return {
    output: () => output,
    lines: () => output.trim().split('\n'),
    waitFor: async (pattern: RegExp) => {
      for (const start = performance.now(); performance.now() - start < 30_000; await Bun.sleep(10))
        if (pattern.test(output)) return
      throw new Error(`The output does not match ${pattern}: ${output}`)
    },
    end: async (signal?: NodeJS.Signals) => {
      if (signal) child.kill(signal)
      await read
      return child.exited
    },
  }
}
export type ProductionServer = ReturnType<typeof startProductionServer>
