/** Does the work, and counts how often the event loop could serve requests meanwhile. */
export async function countServed<T>(work: () => Promise<T>) {
  let served = 0
  let isDone = false
  const serve = () => {
    served++
    if (!isDone) setImmediate(serve)
  }
  setImmediate(serve)
  const result = await work()
  isDone = true
  return { result, served }
}
