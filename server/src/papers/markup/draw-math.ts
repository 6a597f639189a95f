/// <reference path="./mathjax.d.ts" />
import { splitMath } from '@assay/shared/math-text.ts'
import type { MathJaxOutput } from 'mathjax'
import {
  type Color,
  clip,
  concatTransformationMatrix,
  degrees,
  drawSvgPath,
  endPath,
  type PDFOperator,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
} from 'pdf-lib'

/** Lengths in em. */
export interface Formula {
  source: string
  width: number
  ascent: number
  descent: number
  draw(colour: Color): PDFOperator[]
}

/** By the private-use letter that stands for each in a text. */
export type Formulas = ReadonlyMap<string, Formula>

const FIRST_LETTER = 0xe000
const LAST_LETTER = 0xf8ff

/** Puts a letter in place of each formula, so that lines are measured and broken as usual. */
export class FormulaWriter {
  readonly formulas = new Map<string, Formula>()
  readonly #letters = new Map<string, string | null>()

  async write(text: string, displayed: boolean): Promise<string> {
    const written: string[] = []
    for (const part of splitMath(text)) {
      if (part.kind === 'text') {
        written.push(part.text)
        continue
      }
      const signs = part.display ? '$$' : '$'
      const source = `${signs}${part.tex}${signs}`
      const letter = await this.#letterFor(source, part.tex, part.display)
      written.push(letter && part.display && displayed ? `\n${letter}\n` : (letter ?? source))
    }
    return written.join('').replace(/\n\n(?=[\ue000-\uf8ff]\n)|\n\n$/g, '\n')
  }

  async #letterFor(source: string, tex: string, display: boolean): Promise<string | null> {
    const known = this.#letters.get(source)
    if (known !== undefined) return known
    const code = FIRST_LETTER + this.formulas.size
    const formula = code > LAST_LETTER ? null : await readFormula(source, tex, display)
    const letter = formula && String.fromCharCode(code)
    this.#letters.set(source, letter)
    if (letter && formula) this.formulas.set(letter, formula)
    return letter
  }
}

let loading: Promise<MathJaxOutput> | undefined

/** Takes .6 s, so only papers with formulas load it. */
function loadMathJax(): Promise<MathJaxOutput> {
  loading ??= import('mathjax').then(({ default: MathJax }) =>
    MathJax.init({
      loader: { load: ['input/tex', 'output/svg'] },
      // Unknown commands must fail, and a text must load no files.
      tex: { packages: { '[-]': ['noerrors', 'noundefined', 'require'] } },
      svg: { fontCache: 'none', linebreaks: { inline: false } },
      startup: { typeset: false },
    }),
  )
  return loading
}

async function readFormula(source: string, tex: string, display: boolean): Promise<Formula | null> {
  const { tex2svgPromise, startup } = await loadMathJax()
  const { adaptor } = startup
  const toNode = (node: object): SvgNode => ({
    kind: adaptor.kind(node),
    get: (name) => adaptor.getAttribute(node, name),
    children: () => adaptor.childNodes(node).map(toNode),
  })
  try {
    const [svg] = toNode(await tex2svgPromise(tex, { display })).children()
    const [root] = svg?.children() ?? []
    if (!svg || !root || !isDrawable(root)) return null
    const [, top = 0, width = 0, height = 0] = numbers(svg.get('viewBox'))
    // The root already turns the y axis upwards, as in a PDF.
    const draw = (colour: Color) => root.children().flatMap((node) => operatorsOf(node, colour))
    return { source, width: width / 1000, ascent: -top / 1000, descent: (height + top) / 1000, draw }
  } catch {
    return null
  }
}

interface SvgNode {
  kind: string
  get(name: string): string | undefined
  children(): SvgNode[]
}

/** Words without MathJax shapes would need a font. */
const isDrawable = (node: SvgNode): boolean =>
  node.kind !== 'text' && node.get('data-mml-node') !== 'merror' && node.children().every(isDrawable)

const numbers = (text = ''): number[] => (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number)

function operatorsOf(node: SvgNode, colour: Color): PDFOperator[] {
  const inner = shapeOf(node, colour) ?? node.children().flatMap((child) => operatorsOf(child, colour))
  const placed = [...placeOf(node), ...inner]
  return placed.length > inner.length ? [pushGraphicsState(), ...placed, popGraphicsState()] : inner
}

function shapeOf(node: SvgNode, colour: Color): PDFOperator[] | null {
  const at = (name: string) => Number(node.get(name) ?? 0)
  const thickness = Number(node.get('stroke-width') ?? 70)
  const corners = `M${at('x')} ${at('y')}h${at('width')}v${at('height')}h${-at('width')}Z`
  switch (node.kind) {
    case 'path':
      return drawn(node.get('d') ?? '', { color: colour })
    case 'rect':
      if (node.get('data-background')) return []
      return drawn(
        corners,
        node.get('fill') === 'none' ? { borderColor: colour, borderWidth: thickness } : { color: colour },
      )
    case 'line':
      return drawn(`M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`, { borderColor: colour, borderWidth: thickness })
    default:
      return null
  }
}

interface Paint {
  color?: Color
  borderColor?: Color
  borderWidth?: number
}

/** pdf-lib turns a path's y axis, so it is turned back first. */
function drawn(path: string, { color, borderColor, borderWidth = 0 }: Paint): PDFOperator[] {
  const options = { x: 0, y: 0, rotate: degrees(0), scale: 1, color, borderColor, borderWidth }
  return [
    pushGraphicsState(),
    concatTransformationMatrix(1, 0, 0, -1, 0, 0),
    ...drawSvgPath(path, options),
    popGraphicsState(),
  ]
}

function placeOf(node: SvgNode): PDFOperator[] {
  if (node.kind === 'svg') {
    const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) =>
      Number(node.get(name) ?? 0),
    )
    const [left = 0, top = 0, shownWidth = width, shownHeight = height] = numbers(node.get('viewBox'))
    const [across, down] = [width / shownWidth, height / shownHeight]
    return [
      rectangle(x, y, width, height),
      clip(),
      endPath(),
      concatTransformationMatrix(across, 0, 0, down, x - left * across, y - top * down),
    ]
  }
  const steps = node.get('transform')?.match(/(?:translate|scale)\([^)]*\)/g) ?? []
  return steps.map((step) => {
    const [first = 0, second] = numbers(step)
    return step.startsWith('scale')
      ? concatTransformationMatrix(first, 0, 0, second ?? first, 0, 0)
      : concatTransformationMatrix(1, 0, 0, 1, first, second ?? 0)
  })
}
