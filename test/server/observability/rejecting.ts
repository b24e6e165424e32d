// Loaded before the server: at a signal, failures that nobody looks after and that quote what they were given, then an exception.
const { LEAK = '' } = process.env
process.on('SIGUSR2', () => {
  void Promise.reject(
    Object.assign(new Error(`nobody waits for ${LEAK}`), {
      detail: LEAK,
      query: `select '${LEAK}'`,
      parameters: [LEAK],
    }),
  )
  void Promise.reject(LEAK)
  setTimeout(() => {
    throw new AggregateError([new TypeError(LEAK)], LEAK)
  }, 50)
})
