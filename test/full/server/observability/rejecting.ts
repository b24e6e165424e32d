// Loaded before the server. On SIGUSR2: unhandled rejections that quote a secret, then an exception.
const { LEAK = '' } = process.env
process.on('SIGUSR2', () => {
  void Promise.reject(
    Object.assign(new Error(`unhandled ${LEAK}`), {
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
