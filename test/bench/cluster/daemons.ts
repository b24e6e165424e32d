import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../processes'

const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** The programs that are not installed, by the names of their Debian packages. */
export const listMissingPrograms = () => ['haproxy', 'pgbouncer'].filter(name => !Bun.which(name, { PATH }))

type Owner = { uid?: number; gid?: number }
type Daemon = { pid: number; end: () => Promise<void> }

async function startDaemon(name: string, args: string[], log: string, owner: Owner = {}): Promise<Daemon> {
  const child = Bun.spawn([Bun.which(name, { PATH })!, ...args], {
    ...owner,
    stdin: 'ignore',
    stdout: Bun.file(`${log}.out`),
    stderr: Bun.file(log),
  })
  await Bun.sleep(300)
  if (child.exitCode !== null) {
    const output = (await Bun.file(log).text()) + (await Bun.file(`${log}.out`).text())
    throw new Error(`${name} does not start: ${output}`)
  }
  const end = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return { pid: child.pid, end }
}

/** Starts HAProxy before servers on these ports, with a port of its own for each group. */
export async function startProxy(folder: string, groups: number[][]) {
  const ports = groups.map(findFreePort)
  const listeners = groups.map((group, index) => toListener(index, ports[index]!, group))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, `${PROXY_DEFAULTS}\n${listeners.join('\n')}\n`)
  const daemon = await startDaemon('haproxy', ['-db', '-f', file], join(folder, 'haproxy.log'))
  return { ports, ...daemon }
}

const PROXY_DEFAULTS = `
defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout http-keep-alive 75s
  option forwardfor
  option redispatch
  retries 3
  retry-on conn-failure`

function toListener(index: number, port: number, servers: number[]) {
  const lines = servers.map((server, i) => `  server kiraya${i} 127.0.0.1:${server}`)
  return `
listen group${index}
  bind 127.0.0.1:${port}
  balance leastconn
  option httpchk
  http-check send meth GET uri /health/ready ver HTTP/1.1 hdr Host kiraya
  default-server check inter 1s fall 3 rise 1
  timeout check 5s
${lines.join('\n')}`
}

/**
 * Starts PgBouncer in transaction mode. It refuses to run as root, as PostgreSQL does, so it runs as the same user.
 * `pointTo` leads it to another port in the socket's folder.
 */
export async function startPooler(folder: string, socket: string, primaryPort: number, owner: Owner) {
  const home = join(folder, 'pgbouncer')
  const port = findFreePort()
  const file = join(home, 'pgbouncer.ini')
  await mkdir(home, { mode: 0o755 })
  if (owner.uid !== undefined) await chown(home, owner.uid, owner.gid!)
  await writeFile(file, toPoolerSettings(home, port, socket, primaryPort))
  const daemon = await startDaemon('pgbouncer', [file], join(folder, 'pgbouncer.log'), owner)
  const pointTo = async (newPrimaryPort: number) => {
    await writeFile(file, toPoolerSettings(home, port, socket, newPrimaryPort))
    process.kill(daemon.pid, 'SIGHUP')
  }
  const host = encodeURIComponent(home)
  const url = `postgresql://kiraya@localhost:${port}/postgres?host=${host}&prepared=false`
  return { ...daemon, url, pointTo }
}

const toPoolerSettings = (home: string, port: number, socket: string, primaryPort: number) => `
[databases]
postgres = host=${socket} port=${primaryPort} user=kiraya
[pgbouncer]
listen_addr =
listen_port = ${port}
unix_socket_dir = ${home}
auth_type = any
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 2
log_connections = 0
log_disconnections = 0
`
