import { type AnswerCases, answers } from './answer-case.ts'

export const FORMULAS: AnswerCases[] = [
  {
    prompt: 'Differentiate x³.',
    key: '3x^2',
    right: answers`
      3x² | 3x^2 | 3 x^2 | 3*x^2 | 3x**2 | x²·3 | dy/dx = 3x² | f'(x) = 3x^2 | y = 3x^2 | 3·x·x | 3x^{2} | y' = 3x²
      f′(x)=3x²
    `,
    wrong: ['3', '3x', 'x^2', '2x^3', '3x^3', '-3x^2', '3 + x^2', '9x^2', '3x^2 + 1', 'x^3', '(3x)^2'],
  },
  {
    prompt: 'Integrate 2x.',
    key: 'x^2 + C',
    right: ['x² + C', 'x^2 + c', 'C + x^2', 'x²+k', '∫2x dx = x² + C', 'x^2 + constant', 'x^2 + K'],
    wrong: ['x^2 - x', '2x^2 + C', 'x^3 + C', '2 + C', 'x + C', '2x'],
    partial: [
      ['x^2', 0.3, 0.9],
      ['x² + 3', 0, 0.9],
    ],
  },
  {
    prompt: 'Expand (x + 1)².',
    key: 'x^2 + 2x + 1',
    right: answers`
      x² + 2x + 1 | 1 + 2x + x² | x^2+2x+1 | x*x + 2*x + 1 | = x² + 2x + 1 | (x+1)(x+1) = x² + x + x + 1 = x² + 2x + 1
    `,
    wrong: ['x² + 1', 'x² + x + 1', 'x² - 2x + 1', '(x+1)²', 'x² + 2x', 'x^2 + 2x + 1 + x'],
    partial: [
      ['x² + x + x + 1', 0.3, 1],
      ['(x+1)(x+1)', 0, 0.5],
    ],
  },
  {
    prompt: 'Factorise x² + 5x + 6.',
    key: '(x + 2)(x + 3)',
    right: ['(x+2)(x+3)', '(x+3)(x+2)', '(x + 3) × (x + 2)', '(2+x)(3+x)', 'x²+5x+6 = (x+2)(x+3)'],
    wrong: ['(x-2)(x-3)', '(x+1)(x+6)', '(x+2)(x-3)', 'x² + 5x + 6', '(x+2)+(x+3)', 'x = -2 or x = -3'],
    partial: [['x(x+5)+6', 0, 0.5]],
  },
  {
    prompt: 'Make a the subject of v = u + at.',
    key: 'a = (v - u)/t',
    right: [
      ...answers`
        a = (v-u)/t | (v-u)/t = a | a = (v - u) ÷ t | a = v/t - u/t | a = \frac{v-u}{t} | a = (u - v)/(-t) | (v-u)/t
      `,
      'at = v - u\na = (v-u)/t',
    ],
    wrong: ['a = v - u/t', 'a = (u-v)/t', 'a = (v+u)/t', 'a = t(v-u)', 't = (v-u)/a', 'v = u + at'],
    partial: [['at = v - u', 0, 0.75]],
  },
  {
    prompt: 'What is the area of a circle with radius r?',
    key: 'A = πr²',
    right: answers`
      A = πr² | A = pi r^2 | πr² | pi*r^2 | A = π × r × r | A = r²π | area = πr² | pi r squared | π r^2 | A = \pi r^2
      Area = pi * r^2 | π·r²
    `,
    wrong: ['2πr', 'A = πr', 'A = πd²', 'A = (πr)²', 'A = πr³', 'C = 2πr', '3.14', 'A = r²'],
  },
  {
    prompt: 'What is the equation of the line?',
    key: 'y = 2x - 1',
    right: answers`
      y = 2x − 1 | f(x) = 2x - 1 | 2x - y = 1 | y + 1 = 2x | y - 2x + 1 = 0 | y=-1+2x | y = 2(x - 0.5) | y = 2x + (-1)
      x = (y+1)/2 | 2y = 4x - 2
    `,
    wrong: ['y = 2x + 1', 'y = x - 1', 'y = -2x - 1', 'y = 2x', 'x = 2y - 1', 'y = -1', 'y ≠ 2x - 1', 'y > 2x - 1'],
    open: ['2x - 1 maybe or 2x + 1'],
  },
  {
    prompt: 'Write down Pythagoras’ theorem.',
    key: 'a² + b² = c²',
    right: answers`
      a² + b² = c² | c² = a² + b² | a^2+b^2=c^2 | c = √(a² + b²) | b² = c² - a²
      a squared plus b squared equals c squared | c^2 - b^2 = a^2
    `,
    wrong: answers`
      a + b = c | a² - b² = c² | a² + c² = b² | (a+b)² = c² | a² × b² = c² | a^3 + b^3 = c^3 | c = a² + b²
    `,
  },
  {
    prompt: 'Which trigonometric identity links sine and cosine?',
    key: 'sin²x + cos²x = 1',
    right: answers`
      sin²x + cos²x = 1 | cos²x + sin²x = 1 | sin²(x) + cos²(x) = 1 | sin^2 x + cos^2 x = 1 | 1 - cos²x = sin²x
      (sin x)² + (cos x)² = 1 | sin²θ + cos²θ = 1 | 1 = sin^2(x)+cos^2(x)
    `,
    wrong: ['sin x + cos x = 1', 'sin²x - cos²x = 1', 'sin²x + cos²x = 0', 'tan x = sin x / cos x'],
  },
  {
    prompt: 'Give the kinetic energy.',
    key: 'E = ½mv²',
    right: answers`
      E = ½mv² | E = 1/2 mv^2 | E = 0.5mv² | E = mv²/2 | Ek = ½mv² | KE = 0.5 × m × v² | ½mv² | (1/2)mv^2
      E = \frac{1}{2}mv^2 | half m v squared | v = √(2E/m) | KE = 1/2 m v²
    `,
    wrong: ['E = mv²', 'E = ½mv', 'E = ½(mv)²', 'E = mgh', 'E = 2mv²', '1/2'],
  },
  {
    prompt: 'Solve for y in terms of x.',
    key: 'y = ln(x)/2',
    right: ['y = ln(x)/2', 'y = ½ ln x', 'y = 0.5ln(x)', 'ln x / 2', 'y = ln(√x)', '2y = ln x so y = (ln x)/2'],
    wrong: ['y = ln(x/2)', 'y = log(x)/2', 'y = ln(2x)', 'y = 2 ln x', 'y = e^(2x)'],
  },
  {
    prompt: 'What is the complexity of bubble sort in the worst case?',
    key: 'O(n^2)',
    right: ['O(n²)', 'O(n^2)', 'O(n*n)', 'O(n·n)', 'n²', 'quadratic', 'O(n squared)', 'O(n2)'],
    wrong: ['O(2^n)', 'O(n)', 'O(2n)', 'O(n³)', 'linear', 'O(n log n)', 'exponential'],
  },
]
