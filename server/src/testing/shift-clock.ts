import { moveClock } from './move-clock.ts'

/** Preloaded (`--import`), moves the clock ahead by `CLOCK_AHEAD_MS`, and by a minute more with each SIGUSR2. */
const clock = moveClock(Number(process.env.CLOCK_AHEAD_MS))
process.on('SIGUSR2', () => clock.pass(60_000))
