import { indicesDown, latexDown } from './numbers/plain-math.ts'

/** Greek letters and their names, in pairs. */
const PAIRS =
  'π pi θ theta α alpha β beta γ gamma δ delta Δ Delta λ lambda μ mu µ mu ν nu ρ rho σ sigma φ phi ω omega Ω Omega ε epsilon τ tau η eta'.split(
    ' ',
  )
const NAMED = new Map(
  PAIRS.flatMap((letter, i): [string, string][] => (i % 2 === 0 ? [[letter, PAIRS[i + 1] ?? '']] : [])),
)
const INDEXED = new RegExp(String.raw`\b(${[...NAMED.values()].join('|')})\s+_`, 'g')
const GREEK = new RegExp(`^(?:${[...NAMED.values()].join('|')})$`, 'i')

export const isGreek = (name: string): boolean => GREEK.test(name)
/** Of a function, a constant or a Greek letter. */
export const isFormulaName = (word: string): boolean =>
  /^(?:(?:arc)?(?:sin|cos|tan)|cot|sec|csc|sqrt|cbrt|ln|log|exp|abs)$/i.test(word) || isGreek(word)

/** Unicode, LaTeX and typewriter spellings become one. */
export function normalizeFormula(text: string): string {
  const plain = latexDown(indicesDown(text))
    .normalize('NFKC')
    .replace(/[$]/g, ' ')
    .replace(/\\var(?=epsilon|phi|theta|rho|sigma)/g, '\\')
    .replace(/\beps(?=_?\d|\b)/g, 'epsilon')
    .replace(/\broh?(?=\s*=)/g, 'rho')
  return (
    plain
      .replace(/\\(?:cdot|times)(?![a-z])|[·×∗⋅•]/g, '*')
      .replace(/(?<=\d)\s+x\s+(?=\d)/g, '*')
      .replace(/\\div(?![a-z])|[÷⁄∕]/g, '/')
      .replace(/\\leq?(?![a-z])|≤|⩽|<=/g, '≤')
      .replace(/\\geq?(?![a-z])|≥|⩾|>=/g, '≥')
      .replace(/(?<![A-Za-z])a(sin|cos|tan)(?=[\s(])/g, 'arc$1')
      .replace(/∛/g, 'cbrt')
      .replace(/√\s*(\d+(?:\.\d+)?|[A-Za-z])/g, 'sqrt($1)')
      .replace(/√/g, 'sqrt')
      .replace(/\|([^|]+)\|/g, ' abs($1)')
      .replace(/\\?log_[{(]?e[)}]?(?![a-z])/g, ' ln ')
      .replace(/\\?log_[{(]?10[)}]?|\blg(?![a-z])/g, ' log ')
      .replace(/\\?log_[{(]?(\w+)[)}]?\s*(\([^()]*\)|\w+)/g, '(log($2)/log($1))')
      .replace(/≈|\\approx(?![a-z])/g, '=')
      .replace(/[−–—]/g, '-')
      .replace(/\*\*/g, '^')
      // q1 is q₁.
      .replace(/(?<!_\w*)([A-Za-zΑ-Ωα-ω])(?<!log|sin|cos|tan|sec|csc|cot|ln|exp|sqrt|cbrt)(\d)(?![\d.])/g, '$1_$2')
      .replace(/\\([A-Za-z]+)/g, ' $1 ')
      .replace(INDEXED, '$1_')
      // Δv is one name.
      .replace(/(?:Δ|\bDelta\b)\s*([A-Za-z])/g, ' $1_Delta ')
      .replace(/[{[]/g, '(')
      .replace(/[}\]]/g, ')')
      .replace(
        /([πθα-δΔλμµρνσφωΩετη])(_\w+)?/gu,
        (_, letter: string, index = '') => ` ${NAMED.get(letter) ?? letter}${index} `,
      )
      .replace(/(?<![A-Za-z])(sin|cos|tan)\s*\^\(?-1\)?/g, 'arc$1')
      .replace(/(?<![A-Za-z])(sin|cos|tan|log|ln)\s*(\([^()]*\))\s*\^/g, '($1$2)^')
      // sin²x is (sin x)².
      .replace(
        /(?<![A-Za-z])(sin|cos|tan|cot|sec|csc|log|ln)\s*\^\s*\(?\s*(\d)\s*\)?\s*(\([^()]*\)|(?:theta|alpha|beta|phi|omega|[A-Za-z])(?![A-Za-z]))/g,
        '($1($3))^$2',
      )
      .replace(
        /(?<![A-Za-z])(sin|cos|tan|cot|sec|csc|ln)\s*(\d+(?:\.\d+)?\s?(?:theta|alpha|beta|phi|omega|[a-z]))(?![A-Za-z^])/g,
        '$1($2)',
      )
      // a_(n+1) has one name, too.
      .replace(
        /_\(([\w+\-\s,]+)\)/g,
        (_, index: string) => `_${index.replace(/\s/g, '').replace(/\+/g, 'p').replace(/-/g, 'm').replace(/,/g, 'c')}`,
      )
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[.,;]+$/, '')
  )
}
