/** `npm run -s adversarial [-- -v]`: results of all attacks by family; with `-v` of each attack. */
import { graderNames, isUndetectedGain, runSuite } from './run-suite.ts'

const { outcomes } = await runSuite()
const verbose = process.argv.includes('-v')
for (const grader of graderNames) {
  const own = outcomes.filter((one) => one.grader === grader)
  console.log(
    `\n${grader}: ${own.length} attacks, control papers flagged: ${own.filter((one) => one.falseAlarms.length > 0).length}`,
  )
  for (const [family, ones] of Map.groupBy(own, (one) => one.attack.family)) {
    const flagged = ones.filter((one) => one.caught.length > 0)
    const through = ones.filter(isUndetectedGain)
    const codes = [
      ...Map.groupBy(
        ones.flatMap((one) => one.caught),
        (code) => code,
      ),
    ]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([code, all]) => `${code} ${all.length}`)
    console.log(
      `  ${family.padEnd(22)} ${String(ones.length).padStart(3)}  flagged ${String(flagged.length).padStart(3)}  no gain ${String(ones.filter((one) => one.gain < 1).length).padStart(3)}  through ${through.length}   ${codes.join(', ')}`,
    )
    for (const one of verbose ? ones : through)
      console.log(
        `      ${isUndetectedGain(one) ? '!' : ' '} ${one.attack.name}: ${one.gain} points; ${one.caught.join(', ') || 'nothing new'}`,
      )
  }
}
