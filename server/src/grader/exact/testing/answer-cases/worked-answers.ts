/** Each answer with the marking points a fair marker gives; null where debatable. */
export interface WorkedAnswers {
  prompt: string
  points: string[]
  answers: [answer: string, ...earned: (0 | 1 | null)[]][]
}

export const WORKED_ANSWERS: WorkedAnswers[] = [
  {
    prompt: 'Prove that the difference between the squares of two consecutive odd numbers is a multiple of 8.',
    points: [
      'writes (2n + 3)² − (2n + 1)² oe',
      'expands one bracket correctly: 4n² + 12n + 9 or 4n² + 4n + 1',
      'obtains 8n + 8',
    ],
    answers: [
      ['(2n+3)^2 - (2n+1)^2 = 4n^2 + 12n + 9 - (4n^2 + 4n + 1) = 8n + 8', 1, 1, 1],
      ['(2n+3)² − (2n+1)²\n= 4n²+12n+9−4n²−4n−1\n= 8n+8\n= 8(n+1)', 1, 1, 1],
      ['(2n+1)^2 = 4n^2 + 4n + 1', 0, 1, 0],
      ['5² − 3² = 16 which is 8 × 2', 0, 0, 0],
      ['(2n + 3)^2 − (2n + 1)^2 = 4n + 8', 1, 0, 0],
    ],
  },
  {
    prompt: 'Show that the speed of the block is v = √(2gh).',
    points: ['uses mgh = ½mv²', 'cancels m to get gh = ½v²', 'v² = 2gh leading to v = √(2gh) with no errors seen'],
    answers: [
      ['mgh = 1/2 m v^2, m cancels so gh = 1/2 v^2, v^2 = 2gh, v = sqrt(2gh)', 1, 1, 1],
      ['½mv² = mgh\nv² = 2gh\nv = √(2gh)', 1, null, 1],
      ['potential energy becomes kinetic energy', 0, 0, 0],
      ['mgh = mv²', 0, 0, 0],
      ['mgh = 0.5mv² then gh = v²/2', 1, 1, null],
    ],
  },
  {
    prompt: 'Derive an expression for the pressure at depth h.',
    points: ['states P = F/A', 'substitutes F = mg', 'm = ρAh', 'P = ρgh'],
    answers: [
      ['P = F/A, F = mg, m = ρAh, so P = ρAhg/A = ρgh', 1, 1, 1, 1],
      ['P = F / A = mg/A and m = rho A h', 1, null, 1, 0],
      ['P=hρg', null, null, null, 1],
      ['pressure is force over area', null, 0, 0, 0],
      ['P = F × A', 0, 0, 0, 0],
    ],
  },
  {
    prompt: 'Calculate the total resistance of the circuit.',
    points: ['1/R = 1/6 + 1/3', 'R = 2 Ω', 'total = 2 + 4 = 6 Ω'],
    answers: [
      ['1/R = 1/6+1/3 = 1/2, R = 2, total 2 + 4 = 6 Ω', 1, 1, 1],
      ['6 Ω', 1, 1, 1],
      ['6 + 3 + 4 = 13 Ω', 0, 0, 0],
      ['1/3 + 1/6 = 0.5 so R = 2 ohms', 1, 1, 0],
      ['1/R = 1/3 + 1/6', 1, 0, 0],
    ],
  },
  {
    prompt: 'Find the equilibrium price and quantity. Qd = 100 − 5P, Qs = 5P.',
    points: ['100 − 5P = 5P', 'P = 10', 'Q = 100 − 50 = 50'],
    answers: [
      ['100 - 5P = 5P, 10P = 100, P = 10, Q = 5 × 10 = 50', 1, 1, 1],
      ['5P = 100 − 5P so P = $10 and Q = 50', 1, 1, 1],
      ['P = 10, Q = 50', null, 1, 1],
      ['P = 20, Q = 100', 0, 0, 0],
      ['100 − 5P = 5P\n100 = 10P\nP = 10', 1, 1, 0],
    ],
  },
  {
    prompt: 'Solve 2x² − 7x + 3 = 0.',
    points: ['(2x − 1)(x − 3) seen', 'x = 3 and x = ½'],
    answers: [
      ['(2x-1)(x-3) = 0, x = 1/2 or x = 3', 1, 1],
      ['(x − 3)(2x − 1) = 0\nx = 3, x = 0.5', 1, 1],
      ['(2x+1)(x+3)=0', 0, 0],
      ['(2x − 1)(x − 3)', 1, 0],
      ['x = 3, x = 0.5', null, 1],
    ],
  },
  {
    prompt: 'Differentiate y = x³ − 6x² and find the turning points.',
    points: ['dy/dx = 3x² − 12x', 'sets 3x² − 12x = 0', 'x = 0 and x = 4'],
    answers: [
      ['dy/dx = 3x^2 - 12x = 0, 3x(x-4) = 0, x = 0 or 4', 1, 1, null],
      ["y' = 3x² − 12x\n3x² − 12x = 0\nx = 0, x = 4", 1, 1, 1],
      ['dy/dx = 3x² − 6x', 0, 0, 0],
      ['3x^2-12x', 1, 0, 0],
    ],
  },
  {
    prompt: 'Calculate the energy needed to heat the water.',
    points: ['temperature rise = 80 − 20 = 60 °C', 'uses E = mcΔT', '0.5 × 4200 × 60', '126 000 J'],
    answers: [
      ['80 - 20 = 60, E = mcΔT = 0.5 × 4200 × 60 = 126000 J', 1, 1, 1, 1],
      ['126 kJ', 1, 1, 1, 1],
      ['0.5 × 4200 × 80 = 168000 J', 0, 0, 0, 0],
      ['E = m c ΔT\nΔT = 60', 1, 1, 0, 0],
      ['4200 x 0.5 x 60', null, null, 1, 0],
    ],
  },
  {
    prompt: 'Work out the mean of the data.',
    points: ['adds the values to get 84', 'divides by 7', '12'],
    answers: [
      ['84 / 7 = 12', 1, 1, 1],
      ['12', 1, 1, 1],
      ['84', 1, 0, 0],
      ['91/7 = 13', 0, null, 0],
    ],
  },
  {
    prompt: 'Find the inverse of f(x) = 3x − 5.',
    points: ['x = 3y − 5 oe', '(x + 5)/3'],
    answers: [
      ['x = 3y - 5, x + 5 = 3y, y = (x+5)/3', 1, 1],
      ['(5 + x)/3', 1, 1],
      ['y = 3x − 5 so x = (y+5)/3', null, null],
      ['(x − 5)/3', 0, 0],
    ],
  },
  {
    prompt: 'Calculate the number of moles and the mass of the product.',
    points: ['n = 4.8/24 = 0.2 mol', 'M = 40', 'mass = 0.2 × 40 = 8.0 g'],
    answers: [
      ['4.8 / 24 = 0.2, 0.2 x 40 = 8 g', 1, 1, 1],
      ['moles = 0.2 mol', 1, 0, 0],
      ['n = 24/4.8 = 5, 5 × 40 = 200 g', 0, 1, 0],
      ['8.0 g', 1, 1, 1],
    ],
  },
  {
    prompt: 'A line passes through (0, 2) and (4, 10). Find its equation.',
    points: ['gradient = (10 − 2)/(4 − 0) = 2', 'y = 2x + 2'],
    answers: [
      ['m = 8/4 = 2, y = 2x + 2', 1, 1],
      ['y = 2x+2', 1, 1],
      ['(10-2)/4 = 2\ny = 2x + 10', 1, 0],
      ['m = 4/8 = 0.5', 0, 0],
    ],
  },
  {
    prompt: 'Explain why the balloon rises.',
    points: ['the air inside expands', 'so its density is less than that of the air outside'],
    answers: [['the air inside the balloon expands when it is heated', null, null]],
  },
]
