import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { createContext } from '../../cli/runtime/context'
import { createProgress, startSpinner } from '../../cli/output/progress'
import { emptyPage } from '../sdk/stub-server'
import { recordTerminal, runAgainst } from './shell'

afterEach(() => mock.restore())

/** A clock that a test moves, and what a person reads on stderr. */
function createScene(isStderrTty = true) {
  let nowMs = 7_000
  spyOn(performance, 'now').mockImplementation(() => nowMs)
  return { ...recordTerminal({ isStderrTty }), pass: (ms: number) => void (nowMs += ms) }
}

test('progress is reported once a second, with the rate, and at the end', () => {
  const { terminal, told, pass } = createScene()
  const progress = createProgress(createContext(terminal, {}), 'properties', 100)

  pass(999)
  progress.add(10)
  expect(told).toEqual([])
  pass(1)
  progress.add(10)
  pass(500)
  progress.add(10)
  pass(1_500)
  progress.add(30)
  progress.end()

  expect(told).toEqual([
    '20 of 100 properties, 20 per second',
    '60 of 100 properties, 20 per second',
    '60 of 100 properties, 20 per second',
  ])
})

/** Starts a spinner and returns its clock's tick, which the machine's own does not move. */
function startStill({ terminal }: ReturnType<typeof createScene>, delayMs = 1_000) {
  let tick = () => {}
  const interval = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void) => {
    tick = work
    return 0
  }) as never)
  const stop = startSpinner(terminal, 'Waiting', delayMs)
  return { tick: () => tick(), stop, interval }
}

test('a spinner starts after its delay, says how long it lasts, and leaves its line empty', () => {
  const scene = createScene()
  const { tick, stop } = startStill(scene)

  scene.pass(999)
  tick()
  stop()
  expect(scene.told).toEqual([])
  scene.pass(1)
  tick()
  scene.pass(1_999)
  tick()
  stop()

  expect(scene.told).toEqual(['\r⠋ Waiting (1 s)', '\r⠙ Waiting (2 s)', '\r\u001b[K'])
})

test('a spinner shows on a terminal alone', () => {
  expect(startStill(createScene(false), 0).interval).not.toHaveBeenCalled()
})

test('a request that lasts over a second shows its progress', async () => {
  const seen = Promise.withResolvers<void>()
  const drawn: string[] = []
  const draw = (text: string) => {
    drawn.push(text)
    seen.resolve()
  }
  // Each look at the clock is a second later.
  let seconds = 0
  spyOn(performance, 'now').mockImplementation(() => 1_000 * seconds++)
  const respond = async () => {
    await seen.promise
    return emptyPage()
  }
  await runAgainst(respond, 'property list', { replies: [], terminal: { draw } })
  expect(drawn[0]).toContain('Waiting for the server')
  expect(drawn.at(-1)).toBe('\r\u001b[K')
})
