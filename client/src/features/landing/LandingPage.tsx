import { getDemo } from '@assay/shared/auth.ts'
import { IconBuilding, IconChalkboard, IconEye, IconFlag, IconLock, IconRefresh, IconSchool } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { Wordmark } from '../../layout/Wordmark.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet } from '../../lib/api/api-hooks.ts'
import { homePathOf } from '../../lib/session/redirect-paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { useSignInRedirect } from '../auth/useSignInRedirect.ts'
import classes from './Hero.module.css'
import landingClasses from './landing.module.css'

export function LandingPage() {
  usePageTitle('Graded with help, decided by the teacher')
  return (
    <>
      <LandingHeader />
      <Hero />
      <Audiences />
      <HowItWorks />
      <WhyAssay />
      <SampleTestimonials />
      <CallToAction />
    </>
  )
}

function LandingHeader() {
  const session = useSession()
  return (
    <header className={classes.header}>
      <Wordmark />
      <nav aria-label="Account" className={classes.account}>
        {session.status === 'signedIn' ? (
          <Link to={homePathOf(session.user.role)}>Go to your dashboard</Link>
        ) : (
          <>
            <Link to="/auth/login">Sign In</Link>
            <Link to="/auth/register">Sign Up</Link>
          </>
        )}
      </nav>
    </header>
  )
}

function Hero() {
  return (
    <section className={classes.root} aria-labelledby="hero">
      <div className={classes.words}>
        <h1 id="hero" className={classes.title}>
          Grade&nbsp;the&nbsp;stack. See&nbsp;why, on&nbsp;the&nbsp;page.
        </h1>
        <p className={classes.lead}>
          Assay reads your students’ papers against your answer key, suggests points for every question, and highlights
          the evidence for each suggestion. You make the final decision.
        </p>
        <div className={classes.buttons}>
          <PrimaryLinkButton to="/auth/register?role=instructor" size="lg">
            Get Started as Instructor
          </PrimaryLinkButton>
          <LinkButton to="/auth/register?role=student" size="lg">
            Join as Student
          </LinkButton>
          <TryDemo />
        </div>
        <p className={classes.fine}>Free software. No credit card, and nothing to install for your students.</p>
      </div>
      <img
        className={classes.picture}
        src="/review.jpg"
        width={1180}
        height={743}
        alt="A student’s paper with the answers marked; beside it the points for each question, and why."
      />
    </section>
  )
}

/** The demo exists only on one's own machine. */
function TryDemo() {
  const demo = useGet(getDemo)
  const session = useSession()
  const { enter } = useSignInRedirect('Welcome to the demo')
  const [busy, setBusy] = useState(false)
  if (session.status === 'signedIn' || !demo.data?.accounts.some(({ role }) => role === 'instructor')) return null
  return (
    <SecondaryButton
      size="lg"
      loading={busy}
      onClick={() => {
        setBusy(true)
        enter(session.signInToDemo('instructor')).catch((error) => {
          setBusy(false)
          toast.error(messageOf(error, 'The demo could not be opened. Please try again.'))
        })
      }}
    >
      Try the demo
    </SecondaryButton>
  )
}

const steps = [
  {
    title: 'Create Assignment',
    text: 'Upload the blank assignment, your answer key and the papers. Assay reads the questions and points from them.',
  },
  {
    title: 'AI Grades Instantly',
    text: 'Each answer is compared with your key and the class. Multiple choice and numbers are graded exactly; written answers get a suggestion with a confidence level.',
  },
  {
    title: 'Review & Refine',
    text: 'Start with flagged papers, change what you want, then publish. Students see nothing until then.',
  },
]

function HowItWorks() {
  return (
    <section className={landingClasses.band} aria-labelledby="how">
      <div className={landingClasses.inner}>
        <h2 id="how" className={landingClasses.title}>
          How It Works
        </h2>
        <ol className={landingClasses.steps}>
          {steps.map(({ title, text }, index) => (
            <li key={title}>
              <h3>
                <span className={landingClasses.number}>{index + 1}</span> {title}
              </h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

const audiences = [
  {
    title: 'For Instructors',
    Icon: IconChalkboard,
    lead: 'A shorter stack, and you stay in control.',
    points: [
      'Upload blank, answer key and papers as PDF, typed or scanned.',
      'Check each suggestion against the highlighted evidence instead of rereading the paper.',
      'Override any score, add your own feedback, and publish when you are ready.',
      'Export every grade as CSV.',
    ],
  },
  {
    title: 'For Students',
    Icon: IconSchool,
    lead: 'A grade you can follow, next to your paper.',
    points: [
      'Points and feedback for each question, once your teacher has released them.',
      'The AI’s suggestion and your teacher’s decision, shown separately.',
      'Courses, assignments and grades in one place, on your phone too.',
      'Only the teachers of the course see your work.',
    ],
  },
  {
    title: 'For Institutions',
    Icon: IconBuilding,
    lead: 'On your own server, under your own rules.',
    points: [
      'The built-in grader needs no API key and no network: papers stay on your server.',
      'Rosters from a CSV file, email invitations, accounts under your control.',
      'A documented OpenAPI interface for connecting your own systems.',
      'An audit log records every change to a grade, role or course.',
    ],
  },
]

function Audiences() {
  return (
    <section className={landingClasses.section} aria-labelledby="audiences">
      <h2 id="audiences" className={landingClasses.title}>
        One paper, three points of view
      </h2>
      <div className={landingClasses.columns}>
        {audiences.map(({ title, Icon, lead, points }) => (
          <article key={title} className={landingClasses.card}>
            <Icon size={26} stroke={1.5} className={landingClasses.icon} aria-hidden />
            <h3>{title}</h3>
            <p className={landingClasses.cardLead}>{lead}</p>
            <ul className={landingClasses.points}>
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </article>
        ))}
      </div>
    </section>
  )
}

const reasons = [
  {
    Icon: IconEye,
    title: 'The evidence is on the page',
    text: 'Select a criterion to highlight its evidence on the student’s paper.',
  },
  {
    Icon: IconFlag,
    title: 'It says when it is not sure',
    text: 'Poor handwriting, a missing answer or instructions to the grader are flagged, with the reason.',
  },
  {
    Icon: IconLock,
    title: 'Papers stay with you',
    text: 'The built-in grader runs on the same server as Assay. Papers never leave it.',
  },
  {
    Icon: IconRefresh,
    title: 'It does not lose work',
    text: 'In a test, we kill it five times during a run of 50 papers. Each paper is still graded exactly once.',
  },
]

function WhyAssay() {
  return (
    <section className={landingClasses.section} aria-labelledby="why">
      <h2 id="why" className={landingClasses.title}>
        Why choose Assay
      </h2>
      <ul className={landingClasses.reasons}>
        {reasons.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={22} stroke={1.6} className={landingClasses.icon} aria-hidden />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function CallToAction() {
  const session = useSession()
  return (
    <section className={landingClasses.call} aria-labelledby="call">
      <h2 id="call">Try it with one quiz</h2>
      <p>No credit card. Assay is free software under the MIT license.</p>
      <div className={landingClasses.callButtons}>
        {session.status === 'signedIn' ? (
          <PrimaryLinkButton to={homePathOf(session.user.role)} size="lg">
            Go to your dashboard
          </PrimaryLinkButton>
        ) : (
          <>
            <PrimaryLinkButton to="/auth/register?role=instructor" size="lg">
              Start Free Trial
            </PrimaryLinkButton>
            <LinkButton to="/auth/login" size="lg">
              Sign In
            </LinkButton>
          </>
        )}
      </div>
    </section>
  )
}

const testimonials = [
  { words: 'I check the flagged papers first. The rest is much less stressful.', who: 'A physics teacher' },
  { words: 'I finally see which sentence lost me the points.', who: 'A student, second year' },
  { words: 'It runs in our own server room. That ended the discussion.', who: 'A head of IT' },
]

function SampleTestimonials() {
  return (
    <section className={landingClasses.section} aria-labelledby="voices">
      <h2 id="voices" className={landingClasses.title}>
        Testimonials
      </h2>
      <p className={landingClasses.sub}>
        We wrote these samples to show what we aim for. They are not quotes from real people.
      </p>
      <div className={landingClasses.columns}>
        {testimonials.map(({ words, who }) => (
          <figure key={who} className={landingClasses.voice}>
            <span className={landingClasses.sample}>Sample</span>
            <blockquote>{words}</blockquote>
            <figcaption>{who}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}
