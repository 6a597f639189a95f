import { moveClock } from './move-clock.ts'

/** By `CLOCK_AHEAD_MS` (`--import`), and by a minute more with each SIGUSR2. */
const clock = moveClock(Number(process.env.CLOCK_AHEAD_MS))
process.on('SIGUSR2', () => clock.pass(60_000))
