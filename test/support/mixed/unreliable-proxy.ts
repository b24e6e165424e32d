import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, type Random } from '../random'

/** Shares of the chunks that are split, delayed, or that are cut, and their connection with them. */
const SPLIT_SHARE = 0.3
const DELAY_SHARE = 0.02
const CUT_SHARE = 0.01
const MAX_DELAY_MS = 20

/**
 * A proxy on a socket of its own. Unless it is calm, as at first, it splits, delays and cuts the stream to and from
 * its target.
 */
export async function startUnreliableProxy(target: string, random: Random = createRandom(0)) {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-proxy-'))
  const sockets = new Set<net.Socket>()
  const counts = { connections: 0, splits: 0, delays: 0, cuts: 0 }
  let isUnreliable = false
  let to = target

  const server = net.createServer(client => {
    counts.connections++
    const upstream = net.connect(to)
    linkSockets([client, upstream], sockets)
    void forward(client, upstream)
    void forward(upstream, client)
  })

  async function forward(from: net.Socket, to: net.Socket) {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (isUnreliable && random.chance(CUT_SHARE)) {
          counts.cuts++
          const part = chunk.subarray(0, random.integer(0, chunk.length - 1))
          return void to.end(part, () => from.destroy())
        }
        for (const piece of isUnreliable ? split(chunk) : [chunk]) {
          if (isUnreliable) await delay()
          to.write(piece)
        }
      }
      to.end()
    } catch {
      to.destroy() // the connection was cut while it was read
    }
  }

  /** The pieces of a chunk, which arrive one by one. */
  function split(chunk: Buffer) {
    if (chunk.length < 2 || !random.chance(SPLIT_SHARE)) return [chunk]
    counts.splits++
    const at = random.integer(1, chunk.length - 1)
    return [chunk.subarray(0, at), chunk.subarray(at)]
  }

  async function delay() {
    if (random.chance(DELAY_SHARE)) {
      counts.delays++
      await Bun.sleep(random.integer(1, MAX_DELAY_MS))
    } else if (random.chance(SPLIT_SHARE)) await new Promise(setImmediate)
  }

  await new Promise<void>(listening => server.listen(join(folder, '.s.PGSQL.5432'), listening))
  return {
    folder,
    counts,
    /** While it is calm, the proxy forwards every chunk at once. */
    calm: (isCalm: boolean) => void (isUnreliable = !isCalm),
    /** Leads new connections elsewhere. */
    lead: (elsewhere: string) => void (to = elsewhere),
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Each of two sockets ends with the other. */
function linkSockets(pair: net.Socket[], open: Set<net.Socket>) {
  for (const socket of pair) {
    open.add(socket)
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => {
      open.delete(socket)
      for (const each of pair) each.destroy()
    })
  }
}
