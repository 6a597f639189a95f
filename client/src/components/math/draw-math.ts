import 'katex/dist/katex.min.css'
import katex from 'katex'

/** False where KaTeX cannot read the formula. */
export function drawMath(tex: string, display: boolean, into: HTMLElement): boolean {
  try {
    katex.render(tex, into, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxExpand: 200,
      maxSize: 10,
    })
    return true
  } catch {
    return false
  }
}
