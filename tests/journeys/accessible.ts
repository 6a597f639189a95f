import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

interface Found {
  violations: { id: string; help: string; nodes: { target: unknown[] }[] }[]
}

/**
 * Half way through a fade words stand in colours that nobody reads them in. Nothing that ends may still be moving, for
 * several frames running: what has just opened starts to fade a frame or two later.
 */
const stillness = `new Promise((still) => {
  let quiet = 0
  const look = () => {
    const moving = document.getAnimations().some((one) =>
      one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime ?? 0))
    quiet = moving ? 0 : quiet + 1
    if (quiet < 6) requestAnimationFrame(look)
    else still()
  }
  look()
})`

/** What axe finds against WCAG 2.2 A and AA on the page, or in a frame of it, as it stands; one line each. */
export async function accessibilityProblems(page: Page | Frame): Promise<string[]> {
  await page.evaluate(stillness)
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
