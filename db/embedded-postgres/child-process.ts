export type ProgramResult = { ok: boolean; output: string }
type ProgramOptions = { uid?: number; gid?: number; cwd?: string; env?: Record<string, string | undefined> }

/** Runs a program without blocking this thread, so that a server loads its code while PostgreSQL starts. */
export async function runProgram(command: string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const child = Bun.spawn(command, { ...options, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { ok: exitCode === 0, output: `${output}${errors}`.trim() }
}
