import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateRows } from '../offline/evaluate-rows.ts'

interface Case {
  prompt: string
  key: string
  right: string[]
  wrong: string[]
}

const small = fc.integer({ min: 2, max: 9 })
const whole = fc.integer({ min: 10, max: 99 })
const pair = fc.tuple(small, small).filter(([a, b]) => a !== b)
const three = fc.uniqueArray(small, { minLength: 3, maxLength: 3 }).map(([a = 2, b = 3, c = 4]) => [a, b, c] as const)
const four = fc.uniqueArray(small, { minLength: 4, maxLength: 4 })
const root = small.filter((n) => n !== 4 && n !== 8 && n !== 9)
const word = fc.constantFrom('Ottawa', 'Lisbon', 'Helsinki', 'Nairobi', 'Canberra', 'Montevideo', 'Reykjavik')
const other = fc.constantFrom('Toronto', 'Madrid', 'Warsaw', 'Dublin')
const letters = fc.constantFrom(['p', 'q'], ['a', 'b'], ['x', 'y'])

const ROMAN: [number, string][] = [
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]
const roman = (n: number): string => {
  const [value, sign] = ROMAN.find(([size]) => size <= n) ?? [n, '']
  return n <= 0 ? '' : sign + roman(n - value)
}

const KINDS: Record<string, fc.Arbitrary<Case>> = {
  'a key with its working': fc
    .tuple(whole, small)
    .map(([a, b]) => ({
      prompt: 'What is the force?',
      key: `F = ma = ${a} × ${b} = ${a * b} N`,
      right: [`${a * b} N`, `it is ${a * b} newtons`, `${b} · ${a} = ${a * b} N`],
      wrong: [`${a + b} N`, `F = ${a} / ${b} = ${(a / b).toFixed(2)} N`],
    })),
  'values by their names': pair.map(([a, b]) => ({
    prompt: 'Give the slope and the intercept of the line.',
    key: `slope ${a}, intercept −${b}`,
    right: [`m = ${a}, c = -${b}`, `it cuts the axis at −${b} and has the gradient ${a}`, `${a} and −${b}`],
    wrong: [`slope −${b}, intercept ${a}`, `the slope is ${b}`],
  })),
  'prices by the things': fc
    .tuple(whole, whole, word, other)
    .map(([a, b, one, two]) => ({
      prompt: 'What does a ticket to each of the towns cost?',
      key: `${one} £${a}, ${two} £${b + 100}`,
      right: [`${two}: £${b + 100}, ${one}: £${a}`, `${a} pounds for ${one} and ${b + 100} pounds for ${two}`],
      wrong: [`${one} £${b + 100}, ${two} £${a}`],
    })),
  'which way each goes': fc
    .constantFrom(['price', 'quantity'], ['pressure', 'volume'])
    .map(([a = '', b = '']) => ({
      prompt: `What happens to ${a} and ${b}?`,
      key: `${a} falls, ${b} rises`,
      right: [`the ${b} goes up and the ${a} goes down`, `${a} ↓, ${b} ↑`, `${a} decreases, ${b} increases`],
      wrong: [`${a} rises, ${b} falls`],
    })),
  'money for a time': whole.map((a) => ({
    prompt: 'How much interest is paid?',
    key: `£${a} per year`,
    right: [`${a} pounds annually`, `£${a} a year`, `£${a} p.a.`],
    wrong: [`£${a * 10} per year`, `£${a + 1} a year`],
  })),
  'bases of DNA': fc
    .array(fc.constantFrom('A', 'C', 'G', 'T'), { minLength: 5, maxLength: 8 })
    .map((bases) => ({
      prompt: 'Write the complementary DNA strand.',
      key: bases.join('-'),
      right: [bases.join(''), bases.join(' '), bases.join(' – ')],
      wrong: [[...bases.slice(1), bases[0] === 'A' ? 'C' : 'A'].join('-'), bases.concat('G').join('')],
    })),
  alleles: fc
    .constantFrom('T', 'B', 'R')
    .map((a) => ({
      prompt: 'Give the genotype of a heterozygous plant.',
      key: `${a}${a.toLowerCase()}`,
      right: [`${a}${a.toLowerCase()}`, `${a} ${a.toLowerCase()}`, `it is ${a}${a.toLowerCase()}`],
      wrong: [`${a}${a}`, `${a}${a}`.toLowerCase()],
    })),
  'notes and keys': fc
    .constantFrom('D', 'E', 'A')
    .map((a) => ({
      prompt: 'Which minor key is it?',
      key: `${a} minor`,
      right: [`${a}m`, `${a.toLowerCase()} minor`, `the key of ${a} minor`],
      wrong: [`${a} major`, 'G minor'],
    })),
  nuclides: fc
    .constantFrom(['Rn', 'radon', 222, 86], ['C', 'carbon', 14, 6])
    .map(([sign, name, mass, protons]) => ({
      prompt: 'Which nuclide is formed in the decay?',
      key: `^{${mass}}_{${protons}}${sign}`,
      right: [`${sign}-${mass}`, `${name}-${mass}`, `${name} with mass number ${mass}`],
      wrong: [`${sign}-${Number(mass) - 4}`, `Po-${mass}`],
    })),
  'letters for what they stand for': fc.constant({
    prompt: 'Match: A ammeter, B barometer, C hygrometer; 1 air pressure, 2 humidity, 3 current.',
    key: 'A3, B1, C2',
    right: ['hygrometer – humidity, ammeter – current, barometer – air pressure', '1-B, 2-C, 3-A'],
    wrong: ['ammeter – humidity, barometer – current, hygrometer – air pressure'],
  }),
  'what was taken back': fc
    .tuple(whole, small)
    .map(([a, b]) => ({
      prompt: 'Work out the value.',
      key: `${a}`,
      right: [`${a + b}... no wait, it's ${a}`, `${a + b}, sorry, ${a}`],
      wrong: [`${a}... no, it is ${a + b}`.replace('no, it', 'no wait, it')],
    })),
  'indices of letters': fc
    .constantFrom(1, 2)
    .map((a) => ({
      prompt: 'Give the formula for the force between two charges.',
      key: `F = q1 q2 / (4π ε0 r²)`,
      right: [
        `F = \\frac{1}{4\\pi\\varepsilon_0}\\frac{q_1 q_2}{r^2}`,
        'F = k q1 q2 / r^2 with k = 1/(4 pi eps0)',
        `F = q_1*q_2/(4*pi*eps_0*r^${2})`,
      ],
      wrong: [`F = q1 q2 / (4π ε0 r)`, `F = ${a + 1} q1 / (4π ε0 r²)`],
    })),
  'a chain whose last equality counts': fc
    .tuple(whole, small)
    .map(([a, b]) => ({
      prompt: 'Work out the value.',
      key: `${a + b}`,
      right: [`f(${a}, ${b}) = ${a} + ${b} = ${a + b}`, `[x²] from 1 to ${b} = ${a} + ${b} = ${a + b}`, `${a + b}`],
      wrong: [`${a} + ${b} = ${a + b + 1}`, `${a + b} − ${b} = ${a}`],
    })),
  'a result with its unit, worked out': fc
    .tuple(whole, small)
    .map(([a, b]) => ({
      prompt: 'What is the speed?',
      key: `${a} m/s`,
      right: [
        `v = d/t = ${a * b}/${b} = ${a} m/s`,
        `${a * b} m ÷ ${b} s = ${a} m/s`,
        `${a} metres per second`,
        `${a} m s⁻¹`,
      ],
      wrong: [`v = ${a * b} × ${b} = ${a * b * b} m/s`, `${a} km/s`],
    })),
  'rounded exact values': fc
    .tuple(small, root)
    .map(([a, n]) => ({
      prompt: 'How long is the diagonal?',
      key: `${a}√${n}`,
      right: [
        `${a}√${n} ≈ ${(a * Math.sqrt(n)).toFixed(2)}`,
        `about ${(a * Math.sqrt(n)).toFixed(2)}`,
        `${a}\\sqrt{${n}}`,
      ],
      wrong: [`${a + 1}√${n}`, (a * Math.sqrt(n) + 1).toFixed(2)],
    })),
  matrices: four.map(([a, b, c, d]) => ({
    prompt: 'Find the product AB.',
    key: `[[${a}, ${b}], [${c}, -${d}]]`,
    right: [
      `\\begin{pmatrix} ${a} & ${b} \\\\ ${c} & -${d} \\end{pmatrix}`,
      `${a} ${b}\n${c} −${d}`,
      `[${a}, ${b}; ${c}, -${d}]`,
      `first row ${a} ${b}, second row ${c} -${d}`,
    ],
    wrong: [`[[${a}, ${c}], [${b}, -${d}]]`, `${a} ${b}\n${c} ${d}`, `[[${c}, -${d}], [${a}, ${b}]]`],
  })),
  'all values of an unknown': fc
    .tuple(small, root)
    .map(([a, n]) => ({
      prompt: 'Solve the equation.',
      key: `x = ${a} ± √${n}`,
      right: [`${a} + sqrt(${n}) or ${a} - sqrt(${n})`, `\\( x = ${a} \\pm \\sqrt{${n}} \\)`],
      wrong: [`x = -${a} ± √${n}`, `x = ${a} ± ${n}`, `x = ${a} ± ${n}i`],
    })),
  'imaginary ones': small.map((a) => ({
    prompt: 'Solve over the complex numbers.',
    key: `x = ±${a}i`,
    right: [`${a}i and −${a}i`, `x = \\pm ${a}i`],
    wrong: [`x = ±${a}`, `${a}`, `x = ±${a + 1}i`],
  })),
  'two unknowns': fc
    .tuple(pair, letters)
    .map(([[a, b], [x, y]]) => ({
      prompt: `Find ${x} and ${y}.`,
      key: `${x} = ${a}, ${y} = ${b}`,
      right: [`${y} = ${b} and ${x} = ${a}`, `(${x}, ${y}) = (${a}, ${b})`, `${x}=${a}; ${y}=${b}`],
      wrong: [`${x} = ${b}, ${y} = ${a}`, `(${b}, ${a})`],
    })),
  'exchanged pairs': fc
    .tuple(pair, word, other)
    .map(([[a, b], one, two]) => ({
      prompt: 'Match them.',
      key: `${one}: ${a}; ${two}: ${b}`,
      right: [`${two} – ${b}, ${one} – ${a}`, `${a} for ${one} and ${b} for ${two}`],
      wrong: [`${one}: ${b}; ${two}: ${a}`, `${b} for ${one}, ${a} for ${two}`],
    })),
  'sets of real numbers': pair.map(([a, b]) => ({
    prompt: 'State the domain.',
    key: `x ≠ ${a}`,
    right: [`all reals but ${a}`, `ℝ \\ {${a}}`, `(-∞, ${a}) ∪ (${a}, ∞)`, `x < ${a} or x > ${a}`],
    wrong: [`x ≠ ${b}`, `x = ${a}`, `all real numbers`, `x > ${a}`],
  })),
  'intervals off by one at an end': pair.map(([a, b]) => ({
    prompt: 'Solve the inequality.',
    key: `${a} ≤ x < ${a + b}`,
    right: [`[${a}, ${a + b})`, `x ≥ ${a} and x < ${a + b}`, `from ${a} (included) to ${a + b} (excluded)`],
    wrong: [`[${a}, ${a + b + 1})`, `(${a}, ${a + b}]`, `${a - 1} ≤ x < ${a + b}`],
  })),
  'no solution': fc
    .constantFrom('∅', 'no solution')
    .map((key) => ({
      prompt: 'Solve the equation.',
      key,
      right: ['no real solutions', 'the empty set', '{}', '\\emptyset'],
      wrong: ['x = 0', 'all real numbers'],
    })),
  'electron configurations': fc
    .integer({ min: 1, max: 5 })
    .map((n) => ({
      prompt: 'Give the electron configuration.',
      key: `1s2 2s2 2p6 3s2 3p${n}`,
      right: [`[Ne] 3s² 3p${'⁰¹²³⁴⁵⁶'[n]}`, `1s^2 2s^2 2p^6 3s^2 3p^{${n}}`],
      wrong: [`[Ne] 3s² 3p${'⁰¹²³⁴⁵⁶'[n + 1]}`, `[Ar] 3s2 3p${n}`],
    })),
  'shells with any sign between': three.map(([a, b, c]) => ({
    prompt: 'How are the electrons arranged in shells?',
    key: `${a},${b},${c}`,
    right: [`${a}-${b}-${c}`, `${a}.${b}.${c}`, `${a} in the first, ${b} in the second and ${c} in the third`],
    wrong: [`${a}-${c}-${b}`, `${a},${b}`, `${a}.${b}.${c + 1}`],
  })),
  'Roman numerals': whole.map((n) => ({
    prompt: `Write ${n} in Roman numerals.`,
    key: roman(n),
    right: [roman(n).toLowerCase(), `${n} = ${roman(n)}`],
    wrong: [roman(n + 1), `${n}`],
  })),
  'oxidation numbers': fc
    .constantFrom(1, 2, 3, 4, 5, 6, 7)
    .map((n) => ({
      prompt: 'What is the oxidation number of the metal?',
      key: `+${n}`,
      right: [`${n}+`, `+${roman(n)}`, `1 + x = ${n + 1}, so x = +${n}`],
      wrong: [`−${n}`, `+${n + 1}`],
    })),
  'units by what they measure': whole.map((n) => ({
    prompt: 'What is the frequency?',
    key: `${n} Hz`,
    right: [`${n} per second`, `${n} s⁻¹`, `${n} cycles per second`, `${n} times a second`],
    wrong: [`${n + 1} Hz`, `${n} kHz`],
  })),
  'an identity by one side': small.map((n) => ({
    prompt: 'Complete the identity.',
    key: `(x − ${n})(x + ${n}) = x² − ${n * n}`,
    right: [`x² − ${n * n}`, `−${n * n} + x^2`],
    wrong: [`x² + ${n * n}`, `x² − ${n}`],
  })),
  'a formula for another of its letters': fc
    .constantFrom(['V', 'I', 'R'], ['F', 'm', 'a'], ['Q', 'I', 't'])
    .map(([a, b, c]) => ({
      prompt: 'State the formula.',
      key: `${a} = ${b}${c}`,
      right: [`${b} = ${a}/${c}`, `\\frac{${a}}{${b}} = ${c}`, `${a} = ${c} × ${b}`],
      wrong: [`${a} = ${b}/${c}`, `${b} = ${a}${c}`],
    })),
  propositions: letters.map(([p, q]) => ({
    prompt: `Write ¬(${p} ∧ ${q}) without brackets.`,
    key: `¬${p} ∨ ¬${q}`,
    right: [`~${q} or ~${p}`, `not ${p} or not ${q}`, `\\neg ${p} \\lor \\neg ${q}`],
    wrong: [`¬${p} ∧ ¬${q}`, `${p} ∨ ${q}`, `¬${p} ∨ ${q}`],
  })),
  'names with a slip, and others': fc
    .tuple(word, other)
    .map(([name, wrong]) => ({
      prompt: 'What is the capital?',
      key: name,
      right: [`${name}, not ${wrong}`, name.replace(/(.)(?=.$)/, '$1$1'), `it is ${name.toLowerCase()}`],
      wrong: [`${wrong}, not ${name}`, `${name} or ${wrong}`, wrong, `${wrong} rather than ${name}`],
    })),
  'numbered options': fc
    .integer({ min: 1, max: 4 })
    .map((n) => ({
      prompt: ['Which one is a mammal?', ...[1, 2, 3, 4].map((i) => `${i}) ${i === n ? 'whale' : 'shark'}`)].join('\n'),
      key: `${n}`,
      right: ['whale', `${n}) whale`, 'the whale'],
      wrong: [`${(n % 4) + 1}`],
    })),
}

describe('answers that nobody wrote down before', () => {
  it.each(Object.entries(KINDS))('are graded by their kind: %s', (_, kind) => {
    fc.assert(
      fc.property(kind, ({ prompt, key, right, wrong }) => {
        const row = (answer: string, id: number) => ({
          id,
          question_id: 'q',
          question: prompt,
          reference_answer: key,
          student_answer: answer,
          alt_references: [],
        })
        const judged = evaluateRows([...right, ...wrong].map(row))
        const off = [...right, ...wrong].flatMap((answer, i) => {
          const { score = 0, confidence = 0 } = judged[i] ?? {}
          const fair = i < right.length ? score >= 0.95 : score <= 0.25
          return fair ? [] : [`${key} <- ${answer}: ${score} (${confidence})`]
        })
        expect(off).toEqual([])
      }),
    )
  })
})
