import classes from './landing.module.css'

const testimonials = [
  {
    words: 'I check the flagged papers first. The rest is much less stressful.',
    who: 'A physics teacher',
  },
  {
    words: 'I finally see which sentence lost me the points.',
    who: 'A student, second year',
  },
  {
    words: 'It runs in our own server room. That ended the discussion.',
    who: 'A head of IT',
  },
]

export function SampleTestimonials() {
  return (
    <section className={classes.section} aria-labelledby="voices">
      <h2 id="voices" className={classes.title}>
        Testimonials
      </h2>
      <p className={classes.sub}>
        We wrote these samples to show what we aim for. They are not quotes from real people.
      </p>
      <div className={classes.columns}>
        {testimonials.map(({ words, who }) => (
          <figure key={who} className={classes.voice}>
            <span className={classes.sample}>Sample</span>
            <blockquote>{words}</blockquote>
            <figcaption>{who}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}
