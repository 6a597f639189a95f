import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

interface Found {
  violations: { id: string; help: string; nodes: { target: unknown[] }[] }[]
}

/** WCAG 2.2 A and AA, one line each. */
export async function accessibilityProblems(page: Page | Frame): Promise<string[]> {
  // Evaluated by the debugger, which ignores the CSP. A page that was looked at before has it still.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<Found>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    resultTypes: ['violations'],
  })`)
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
  )
}
