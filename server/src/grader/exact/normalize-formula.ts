const NAMED: Record<string, string> = {
  π: 'pi',
  θ: 'theta',
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  Δ: 'Delta',
  λ: 'lambda',
  μ: 'mu',
  µ: 'mu',
  ρ: 'rho',
  σ: 'sigma',
  φ: 'phi',
  ω: 'omega',
  Ω: 'Omega',
  ε: 'epsilon',
  τ: 'tau',
  η: 'eta',
}
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

/** Unicode, LaTeX and typewriter spellings become one. */
export function normalizeFormula(text: string): string {
  let plain = text
    .replace(
      /[⁻⁺]?[⁰¹²³⁴-⁹]+/gu,
      (power) => `^(${[...power].map((c) => (c === '⁻' ? '-' : c === '⁺' ? '' : SUPERSCRIPTS.indexOf(c))).join('')})`,
    )
    .replace(/[₀-₉]+/gu, (digits) => `_${[...digits].map((c) => SUBSCRIPTS.indexOf(c)).join('')}`)
    .normalize('NFKC')
    .replace(/[$]|\\(?:left|right|,|;|!|quad)(?![a-z])/g, ' ')
  // From the inside out, for fractions within fractions.
  for (let i = 0; i < 4; i++)
    plain = plain
      .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, '(($1)/($2))')
      .replace(/\\sqrt\s*\{([^{}]*)\}/g, 'sqrt($1)')
  return (
    plain
      .replace(/\\(?:cdot|times)(?![a-z])|[·×∗⋅•]/g, '*')
      .replace(/\\div(?![a-z])|[÷⁄∕]/g, '/')
      .replace(/\\leq?(?![a-z])|≤|⩽|<=/g, '≤')
      .replace(/\\geq?(?![a-z])|≥|⩾|>=/g, '≥')
      .replace(/√\s*(\d+(?:\.\d+)?|[A-Za-z])/g, 'sqrt($1)')
      .replace(/√/g, 'sqrt')
      .replace(/[−–—]/g, '-')
      .replace(/\*\*/g, '^')
      .replace(/\\([A-Za-z]+)/g, ' $1 ')
      .replace(/[{[]/g, '(')
      .replace(/[}\]]/g, ')')
      .replace(/[πθαβγδΔλμµρσφωΩετη]/gu, (letter) => ` ${NAMED[letter] ?? letter} `)
      .replace(/\b(sin|cos|tan)\s*\^\(?-1\)?/g, 'arc$1')
      // sin²x is (sin x)².
      .replace(
        /\b(sin|cos|tan|log|ln)\s*\^\s*\(?\s*(\d)\s*\)?\s*(\([^()]*\)|(?:theta|alpha|beta|phi|omega|[A-Za-z])(?![A-Za-z]))/g,
        '($1($3))^$2',
      )
      .replace(/(?<![A-Za-z])(sin|cos|tan|ln)\s*(\d+(?:\.\d+)?\s?[a-z])(?![A-Za-z^])/g, '$1($2)')
      .replace(/_\((\w+)\)/g, '_$1')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[.,;]+$/, '')
  )
}
