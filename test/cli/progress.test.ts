import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { createContext } from '../../cli/context'
import { createProgress } from '../../cli/progress'
import { startSpinner } from '../../cli/requests'
import { createTerminal } from '../../cli/terminal'

afterEach(() => mock.restore())

/** A clock that a test moves, and what a person reads on stderr. */
function createScene(isStderrTty = true) {
  let nowMs = 7_000
  spyOn(performance, 'now').mockImplementation(() => nowMs)
  const told: string[] = []
  const terminal = {
    ...createTerminal(),
    env: {},
    isStderrTty,
    err: (text: string) => void told.push(text),
    draw: (text: string) => void told.push(text),
  }
  const pass = (ms: number) => void (nowMs += ms)
  return { terminal, told, pass }
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

test('work that takes no time has no rate', () => {
  const { terminal, told } = createScene()
  const progress = createProgress(createContext(terminal, {}), 'properties', 1)
  progress.add(1)
  progress.end()
  expect(told).toEqual(['1 of 1 properties, 0 per second'])
})

/** Starts a spinner and returns its clock's tick, which the machine's own does not move. */
function startStill(terminal: ReturnType<typeof createScene>['terminal'], delayMs: number) {
  let tick = () => {}
  const interval = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void) => {
    tick = work
    return 0
  }) as never)
  const stop = startSpinner(terminal, 'Waiting', delayMs)
  return { tick: () => tick(), stop, interval }
}

test('a spinner turns after its delay, says how long it lasts, and leaves its line empty', () => {
  const { terminal, told, pass } = createScene()
  const { tick, stop } = startStill(terminal, 1_000)

  pass(999)
  tick()
  expect(told).toEqual([])
  pass(1)
  tick()
  pass(1_999)
  tick()
  stop()

  expect(told).toEqual(['\r⠋ Waiting (1 s)', '\r⠙ Waiting (2 s)', '\r\u001b[K'])
})

test('a spinner that was never seen leaves no trace', () => {
  const { terminal, told } = createScene()
  const { tick, stop } = startStill(terminal, 1_000)
  tick()
  stop()
  expect(told).toEqual([])
})

test('a spinner turns on a terminal alone', () => {
  const { terminal } = createScene(false)
  expect(startStill(terminal, 0).interval).not.toHaveBeenCalled()
})
