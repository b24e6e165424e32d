// The single program is also the child process that it starts.
if (Bun.isStandaloneExecutable && process.argv[2] === 'draw') await import('./documents/child')
else await import('./process/run').then(({ runServer }) => runServer(process.env))
