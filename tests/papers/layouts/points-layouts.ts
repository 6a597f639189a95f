import { type ExamLayout, left, questionRows, right } from './exam-layout.ts'

export const pointsLayouts: ExamLayout[] = [
  {
    name: 'points in a table on the cover alone',
    questions: questionRows([
      ['1', 6, 'Warm air rises and cools.', 'warm air goes up and cools'],
      ['2', 4, '12 °C', '12 C', 'number'],
      ['3', 10, 'Mountains force moist air upwards so it rains on one side.', 'moist air is forced up and rains'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.bold('GEOG 12: Weather', left, 90, { size: 20 })
      pages.text('1. Write in ink. 2. Show all working. 3. No calculators.', left, 130)
      pages.table(
        [
          ['Question', 'Points', 'Score'],
          ['1', '6', ''],
          ['2', '4', ''],
          ['3', '10', ''],
          ['Total', '20', ''],
        ],
        left,
        170,
        [90, 70, 70],
      )
      pages.text('Do not turn this page until you are told to.', left, 420)
      pages.page()
      pages.text('1.  How does a cloud form?', left, 80)
      write('1', left + 20, 108)
      pages.text('2.  It is 18 °C at sea level and cools by 6 °C a kilometre. How warm is it at 1 km?', left, 240)
      write('2', left + 20, 268)
      pages.text('3.  Explain why one side of a mountain range is often dry.', left, 400)
      write('3', left + 20, 428)
    },
  },
  {
    name: 'points before the question in brackets',
    questions: questionRows([
      ['1', 2, 'a haiku', 'haiku'],
      ['2', 3, 'It repeats the first sound of the words.', 'words start with same sound'],
      ['3 a', 1, 'simile', 'simile'],
      ['3 b', 4, 'It shows that the sea is dangerous and alive.', 'the sea is dangerous'],
    ]),
    draw(pages, write) {
      pages.page('Poetry quiz')
      pages.text('1. [2 points] What is a poem of 5, 7 and 5 syllables called?', left, 110)
      write('1', left + 20, 136)
      pages.text('2. [3 points] What does alliteration do?', left, 180)
      write('2', left + 20, 206)
      pages.text('3. “The sea is a hungry dog.”', left, 260)
      pages.text('(a) [1 point] Rewritten as “the sea is like a dog” it would be a …', left + 18, 284)
      write('3 a', left + 38, 310)
      pages.text('(b) [4 points] What does the image tell about the sea?', left + 18, 350)
      write('3 b', left + 38, 376)
    },
  },
  {
    name: 'a slash before the points at the line’s end',
    questions: questionRows([
      ['1', 5, 'Enzymes are proteins that speed up reactions.', 'they speed up reactions'],
      ['2', 2, '37 °C', '37 degrees', 'number'],
      ['3', 3, 'Heat changes the shape of the active site.', 'shape of active site changes'],
    ]),
    draw(pages, write) {
      pages.page('Enzymes')
      pages.text('Total:        / 10', right, 70, { end: true })
      pages.text('1) What are enzymes?', left, 120)
      pages.text('____ / 5', right, 120, { end: true })
      write('1', left + 16, 150)
      pages.text('2) At which temperature do those of your body work best?', left, 220)
      pages.text('____ / 2', right, 220, { end: true })
      write('2', left + 16, 250)
      pages.text('3) Why do they stop working at 60 °C?', left, 320)
      pages.text('____ / 3', right, 320, { end: true })
      write('3', left + 16, 350)
    },
  },
  {
    name: 'a board paper with totals, furniture and numbered instructions',
    questions: questionRows([
      ['1 a', 1, 'filtration', 'filtration'],
      ['1 b', 2, 'Evaporate the water. Crystals of salt are left.', 'boil the water off'],
      ['2', 3, '0.5 mol', '0.5 mol', 'number'],
    ]),
    draw(pages, write) {
      const furniture = (page: number) => {
        pages.text('DO NOT WRITE IN THIS AREA', 14, 300, { size: 7 })
        pages.text(`${page}`, 290, 815, { size: 9 })
        pages.text('*P7741A0*', left, 815, { size: 8 })
        pages.text('Turn over', right, 815, { size: 9, end: true })
      }
      pages.page()
      pages.bold('Chemistry Paper 1H', left, 90, { size: 22 })
      pages.text('Time: 45 minutes', left, 120)
      pages.bold('Instructions', left, 160)
      pages.text('1  Use black ink.', left, 180)
      pages.text('2  Fill in the boxes at the top of this page.', left, 198)
      pages.bold('Information', left, 230)
      pages.text('The total mark for this paper is 6.', left, 250)
      furniture(1)
      pages.page()
      pages.bold('Answer ALL questions.', left, 60)
      pages.bold('1', left, 100)
      pages.text('Sand and salt are stirred into water.', left + 24, 100)
      pages.text('(a)  Name the way to take out the sand.', left + 24, 124)
      pages.dots(left + 46, right - 40, 160)
      write('1 a', left + 50, 156)
      pages.bold('(1)', right, 160, { end: true })
      pages.text('(b)  How is the salt got back?', left + 24, 200)
      pages.dots(left + 46, right, 236)
      pages.dots(left + 46, right - 40, 264)
      write('1 b', left + 50, 232)
      pages.bold('(2)', right, 264, { end: true })
      pages.bold('(Total for Question 1 = 3 marks)', right, 300, { end: true })
      pages.bold('2', left, 350)
      pages.text('How many moles are in 20 g of NaOH? (Mr = 40)', left + 24, 350)
      pages.text('amount = ................................', right, 460, { end: true })
      write('2', right - 110, 456)
      pages.bold('(3)', right, 490, { end: true })
      pages.bold('(Total for Question 2 = 3 marks)', right, 520, { end: true })
      pages.bold('TOTAL FOR PAPER = 6 MARKS', right, 560, { end: true })
      furniture(2)
    },
  },
  {
    name: 'two columns with a passage first',
    questions: questionRows([
      ['1', 2, 'in a harbour town', 'a harbour'],
      ['2', 2, 'She wants to go to sea.', 'to go to sea'],
      ['3', 3, 'He fears that she will drown like her father.', 'afraid she drowns like her dad'],
      ['4', 3, 'It stands for freedom.', 'freedom'],
    ]),
    draw(pages, write) {
      const second = 310
      pages.page()
      pages.bold('Reading: The boat', left, 60, { size: 16 })
      const end = pages.paragraph(
        'Mara lived above the harbour, where 2 cranes stood like herons. At 5 every morning she counted the masts. “One day”, she said, “the blue one will take me along.” Her uncle shook his head. The sea had kept her father.',
        left,
        90,
      )
      pages.text('1. Where does Mara live? (2)', left, end + 30, { size: 10 })
      write('1', left + 12, end + 56)
      pages.text('2. What does she want? (2)', left, end + 130, { size: 10 })
      write('2', left + 12, end + 156)
      pages.text('3. Why does her uncle object? (3)', second, end + 30, { size: 10 })
      write('3', second + 12, end + 56)
      pages.text('4. What does the blue boat mean? (3)', second, end + 130, { size: 10 })
      write('4', second + 12, end + 156)
    },
  },
]
