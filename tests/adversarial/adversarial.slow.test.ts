import { beforeAll, describe, expect, it } from 'vitest'
import { attacks } from './attacks.ts'
import { graderNames, isUndetectedGain, runSuite, type SuiteResult } from './run-suite.ts'

let result: SuiteResult
beforeAll(async () => {
  result = await runSuite()
}, 300_000)

it('has at least 60 attacks of many kinds', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(60)
  expect(new Set(attacks.map(({ family, name }) => `${family}: ${name}`)).size).toBe(attacks.length)
})

describe.each(graderNames)('the %s', (grader) => {
  const outcome = (family: string, name: string) =>
    result.outcomes.find((one) => one.grader === grader && one.attack.family === family && one.attack.name === name)

  it.each(attacks)('gives no undetected point for $family: $name', ({ family, name }) => {
    const found = outcome(family, name)
    expect(found).toBeDefined()
    if (found) expect(found).toSatisfy((one: typeof found) => !isUndetectedGain(one))
  })

  it('raises no alarm on honest papers', () => {
    const own = result.outcomes.filter((one) => one.grader === grader)
    expect(own).toHaveLength(attacks.length)
    const alarmed = own.filter((one) => one.falseAlarms.length > 0)
    expect(alarmed.length / own.length, JSON.stringify(alarmed.map((one) => one.falseAlarms))).toBeLessThan(0.02)
  })
})

it('ignores hidden text, and flags it unless it is off the page', () => {
  const hidden = result.outcomes.filter(({ attack, grader }) => attack.family === 'hidden text' && grader === 'offline')
  for (const { attack, caught, gain } of hidden) {
    const off = attack.name.includes('off the page')
    // What a font shows instead of its letters is read, and may be worth a little.
    expect([attack.name, gain <= 1.5]).toEqual([attack.name, true])
    expect([attack.name, caught.some((code) => code === 'hidden_text' || code === 'text_differs_from_page')]).toEqual([
      attack.name,
      !off,
    ])
  }
})

it('sends no names, numbers or addresses of students to an LLM', () => {
  expect(result.sent.length).toBeGreaterThan(attacks.length)
  for (const secret of new Set(result.secrets)) {
    const leaked = result.sent.filter((text) => text.toLowerCase().includes(secret.toLowerCase()))
    expect(leaked, `${secret} left in ${leaked.length} requests`).toEqual([])
  }
})
