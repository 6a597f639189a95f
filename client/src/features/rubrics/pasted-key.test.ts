import { expect, it } from 'vitest'
import { parsePastedKey } from './pasted-key.ts'

const upTo = (last: number) => Array.from({ length: last }, (_, i) => String(i + 1))

/** As `number=answer*points`. */
const read = (text: string, numbers = upTo(50)) =>
  parsePastedKey(text, numbers).answers.map(
    ({ number, answer, points }) => `${number}=${answer}${points === null ? '' : `*${points}`}`,
  )

it.each([
  ['1 B 2 C 3 A', ['1=B', '2=C', '3=A']],
  ['1. B\n2) True\n3: 4.5 cm\n(4) C\nQ5 - ice\nNo. 6: 7', ['1=B', '2=True', '3=4.5 cm', '4=C', '5=ice', '6=7']],
  ['1. B, 2. C; 3. (a)', ['1=B', '2=C', '3=a']],
  ['1b 2c 3d', ['1=b', '2=c', '3=d']],
  ['1-B 2-C', ['1=B', '2=C']],
  ['1 I 2 M', ['1=I', '2=M']],
  ['1 B 26 D\n2 C 27 A', ['1=B', '26=D', '2=C', '27=A']],
  ['1 3 2 4 3 10', ['1=3', '2=4', '3=10']],
  ['1) mitosis 2) cell wall 3) 7', ['1=mitosis', '2=cell wall', '3=7']],
  ['1 . . . 4 . . . 2 . . . D', ['1=4', '2=D']],
  ['1. . . 4 . . . 26. . . 4', ['1=4', '26=4']],
  ['1 ........ 4\n2 . . . . steam', ['1=4', '2=steam']],
  ['1. I saw 2 apples', ['1=I saw 2 apples']],
  ['4 5m', ['4=5m']],
  ['1 -5\n2 .5\n3: −2\n4. -x', ['1=-5', '2=.5', '3=−2', '4=-x']],
  ['1 7, 16', ['1=7, 16']],
  ['1. (-∞, 2)', ['1=(-∞, 2)']],
  ['2 (1, -1, 1)', ['2=(1, -1, 1)']],
  ['1 the heart pumps blood\nSection B\n2 the lungs\n\nand so on', ['1=the heart pumps blood', '2=the lungs']],
  ['1. Ice floats because it is\nlighter than water.\n2. B', ['1=Ice floats because it is lighter than water.', '2=B']],
  ['1-5: B C A D E', ['1=B', '2=C', '3=A', '4=D', '5=E']],
  ['1 B 2', ['1=B*2']],
  ['1 4 cm (2 points)\n2. C [1,5]', ['1=4 cm*2', '2=C*1.5']],
  ['A1: 4\nB12) C\nC4: a plastic explosive', ['A 1=4', 'B 12=C']],
])('a pasted key reads “%s”', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

it.each([
  ['1\tB\t2\n2\tTrue, or so\t1,5\n3 a\tx + 1\t', ['1=B*2', '2=True, or so*1.5', '3 a=x + 1']],
  ['1\tB\t26\tD', ['1=B', '26=D']],
  ['number,answer,points\n1,B,2\n2,"4 cm, or 40 mm",1', ['1=B*2', '2=4 cm, or 40 mm*1']],
  ['1,B,2\n2,C,2\n3 a,"x, y",1', ['1=B*2', '2=C*2', '3 a=x, y*1']],
  ['1;3,14;2', ['1=3,14*2']],
  ['3 (a) (ii)\tB\n3(b)(i)\tC\n4aiv\t7\n5 (ix)\tD', ['3 a ii=B', '3 b i=C', '4 a iv=7', '5 ix=D']],
  ['Points;Question no.;Topic;Answer\n2;Q3(a);heat;"say ""ice"""', ['3 a=say "ice"*2']],
  ['No.\tPoints\n1\t2\n2\t3', ['1=*2', '2=*3']],
  ['1, B', ['1=B']],
  ['A1\tB\t2', ['A 1=B*2']],
  ['No.\tAnswer\nEC\t12 cm', ['EC=12 cm']],
  ['1 B, C', ['1=B, C']],
  ['2, red, green and blue', ['2=red, green and blue']],
])('a pasted key reads rows of a table: %j', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

it('a pasted key reads columns side by side, of questions that nobody has found yet too', () => {
  expect(read('1\tB\t26\tD\n2\tC\t27\tA', ['1'])).toEqual(['1=B', '26=D', '2=C', '27=A'])
})

it('a pasted key tells a part from an answer by how it is written and which numbers the rubric has', () => {
  expect(read('3a B\n3 (b) C\n4 a cat')).toEqual(['3 a=B', '3 b=C', '4=a cat'])
  expect(read('3 a B', ['3 a', '3 b'])).toEqual(['3 a=B'])
  expect(read('3a B 3b C', ['3 a', '3 b'])).toEqual(['3 a=B', '3 b=C'])
  expect(read('3. a. ii) heat', ['3 a i', '3 a ii'])).toEqual(['3 a ii=heat'])
  expect(read('1.2 True', ['1.1', '1.2'])).toEqual(['1.2=True'])
  expect(read('1.1.1 A 1.1.2 C\n1.1.3 2 1.2.1 True', ['1.1.3', '1.2.1'])).toEqual([
    '1.1.1=A',
    '1.1.2=C',
    '1.1.3=2',
    '1.2.1=True',
  ])
  expect(read('1 A 2.5 cm', ['1'])).toEqual(['1=A 2.5 cm'])
  // Without a question 3, “3 b” is no answer to it.
  expect(read('1 107 3 a 9 3 b 33\n4 b 7, 16', ['1', '2', '3 a', '3 b', '4 b', '7'])).toEqual([
    '1=107',
    '3 a=9',
    '3 b=33',
    '4 b=7, 16',
  ])
  expect(read('EC: 12\nA1\tTrue', ['EC', 'A 1'])).toEqual(['ec=12', 'A 1=True'])
  expect(read('2 (part 2) C', ['2', '2 (part 2)'])).toEqual(['2 (part 2)=C'])
  expect(read('1. (c) Paris')).toEqual(['1=(c) Paris'])
})

it('a pasted key takes nothing for the number of a question that has none', () => {
  expect(read('\tB\n- steam', ['', '1'])).toEqual([])
})

it('a pasted key says by line what was not understood, and what is there twice', () => {
  const { answers, rejected } = parsePastedKey('\uFEFFKey of the exam\r\n\r\n1 B\r\n1 C\r\n7\r\n2\tB\tmany', upTo(3))
  expect(answers).toEqual([{ number: '1', answer: 'B', points: null }])
  expect(rejected).toEqual([
    { line: 1, text: 'Key of the exam', reason: 'Not understood' },
    { line: 4, text: '1 C', reason: 'Number 1 is there twice' },
    { line: 5, text: '7', reason: 'Not understood' },
    { line: 6, text: '2\tB\tmany', reason: 'Not understood' },
  ])
})
