import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A server between a database and its clients, which can fall silent: then it accepts connections without a response. */
export async function startGate(databaseUrl: string) {
  const { pathname, searchParams } = new URL(databaseUrl)
  const target = `${searchParams.get('host')}/.s.PGSQL.5432`
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-gate-'))
  const clients = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let isOpen = true
  const server = createServer(client => {
    clients.add(client)
    const upstream = isOpen ? connect(target) : undefined
    if (upstream) upstreams.add(upstream)
    client.on('error', () => {}).on('data', bytes => void (isOpen && upstream?.write(bytes)))
    client.on('close', () => {
      clients.delete(client)
      upstream?.destroy()
    })
    upstream?.on('error', () => {}).on('data', bytes => void (isOpen && client.write(bytes)))
    upstream?.on('close', () => void (isOpen && client.destroy()))
  })
  await new Promise<void>(resolve => void server.listen(join(folder, '.s.PGSQL.5432'), resolve))
  return {
    url: `postgresql://kiraya@localhost${pathname}?host=${encodeURIComponent(folder)}`,
    shut: () => void (isOpen = false),
    open: () => void (isOpen = true),
    countClients: () => clients.size,
    end: async () => {
      for (const socket of [...clients, ...upstreams]) socket.destroy()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
