import { type AnswerCases, answers } from './answer-case.ts'

export const DATES_AND_CODES: AnswerCases[] = [
  {
    prompt: 'When was the Bastille stormed?',
    key: '14 July 1789',
    right: answers`
      14 July 1789 | July 14, 1789 | 14th July 1789 | 14.07.1789 | 14/07/1789 | 14/7/1789 | 1789-07-14
      July 14th 1789 | the 14th of July 1789 | 14 Jul 1789 | 7/14/1789 | on 14 July 1789 | 14-7-1789
    `,
    wrong: ['15 July 1789', '14 June 1789', '14 July 1798', '4 July 1776', '14 July 1889'],
    partial: [
      ['1789', 0, 0.75],
      ['July 1789', 0, 0.8],
      ['14 July', 0, 0.75],
      ['14/07/89', 0, 1],
    ],
  },
  {
    prompt: 'In which year did the war end?',
    key: '1945',
    right: answers`
      1945 | in 1945 | It ended in 1945 | 1945. | 1945 AD | the year 1945 | May 1945 | 1945 CE | The war ended in 1945
    `,
    wrong: ['1954', '1944', '1946', '1945 BC', 'before 1945', 'after 1945', 'not 1945', '19450', '1,94.5'],
    open: ['1944 or 1945', '1944-45', '1944/1945', 'around 1945'],
  },
  {
    prompt: 'At what time does the film end?',
    key: '21:45',
    right: answers`
      21:45 | 9:45 pm | 9.45 pm | 21.45 | 2145 | 21:45 h | quarter to ten in the evening | 9:45 PM | 21h45
    `,
    wrong: ['9:45 am', '21:54', '20:45', '22:45', '21:40', '45:21'],
    partial: [
      ['9:45', 0.2, 1],
      ['quarter to ten', 0.2, 1],
    ],
  },
  {
    prompt: 'When was the treaty signed? Give month and year.',
    key: 'June 1919',
    right: ['June 1919', 'Jun 1919', '06/1919', '28 June 1919', 'in June 1919', 'June, 1919', '1919 June'],
    wrong: ['July 1919', 'June 1918', '1991'],
    partial: [
      ['1919', 0, 0.75],
      ['June', 0, 0.75],
    ],
  },
  {
    prompt: 'Convert 10 to binary.',
    key: '1010',
    right: ['1010', '1010₂', '1010 base 2', '0b1010', '(1010)2', '00001010', '1 0 1 0', '1010 (binary)'],
    wrong: ['1001', '10', '0101', '1100', '10100', '101'],
  },
  {
    prompt: 'Convert 255 to hexadecimal.',
    key: 'FF',
    right: ['FF', 'ff', '0xFF', 'FF16', '#FF', 'FFh', 'FF₁₆', 'Ff'],
    wrong: ['F', '255', 'EE', 'FE', 'FFF', '0x0F'],
  },
  {
    prompt: 'What does print("Hello, World!") output?',
    key: 'Hello, World!',
    right: ['Hello, World!', '"Hello, World!"', "'Hello, World!'", ' Hello, World! ', 'It prints Hello, World!'],
    wrong: ['World', 'Hello', 'Goodbye'],
    partial: [
      ['hello, world!', 0, 1],
      ['Hello World', 0, 1],
      ['Hello, World', 0.3, 1],
    ],
  },
]
