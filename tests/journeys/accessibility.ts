import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

interface Found {
  violations: { id: string; help: string; nodes: { target: unknown[] }[] }[]
}

/** What axe finds against WCAG 2.2 A and AA on the page, or in a frame of it, as it stands; one line each. */
export async function accessibilityProblems(page: Page | Frame): Promise<string[]> {
  // Evaluated by the debugger, which the page's content policy does not bind.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<Found>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    resultTypes: ['violations'],
  })`)
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
  )
}
