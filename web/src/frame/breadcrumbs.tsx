// Breadcrumbs to the current path.

import { ancestry, link, nameOf, path } from '../state/route';
import { visible } from '../text/visible';

export function Breadcrumbs() {
  const steps = ancestry(path.value);
  return (
    <nav class="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        <li>
          <a class="ellipsis" href={link('')} aria-current={steps.length === 0 ? 'page' : undefined}>
            All games
          </a>
        </li>
        {steps.map((step, index) => (
          <li key={step}>
            <a class="name ellipsis" href={link(step)} aria-current={index === steps.length - 1 ? 'page' : undefined}>
              {visible(nameOf(step))}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
