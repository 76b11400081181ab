(() => {
  const field = document.getElementById('filter');
  const amiss = document.getElementById('amiss');
  const found = document.getElementById('found');
  const nothing = document.getElementById('nothing');
  const items = [...document.querySelectorAll('.card, .rows > li, tbody > tr')];
  const files = items.filter((item) => item.matches('.card, .rows > li'));
  const sections = [...document.querySelectorAll('section')];
  const texts = new Map();
  const text = (item) => {
    if (!texts.has(item)) {
      const section = item.closest('section').querySelector('h2').textContent;
      texts.set(item, (item.textContent + ' ' + section).toLowerCase());
    }
    return texts.get(item);
  };
  const choose = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const asked = words.length > 0 || amiss.checked;
    for (const item of items) {
      const fits = (!amiss.checked || item.querySelector('.warn, .bad, .why')) && words.every((word) => text(item).includes(word));
      item.hidden = !fits;
    }
    for (const section of sections) section.hidden = !section.querySelector('.card:not([hidden]), .rows > li:not([hidden]), tbody > tr:not([hidden])');
    const seen = files.filter((item) => !item.hidden).length;
    found.textContent = asked ? seen.toLocaleString('en') + ' of ' + files.length.toLocaleString('en') + ' files' : '';
    nothing.hidden = sections.some((section) => !section.hidden);
  };
  let wait = 0;
  field.addEventListener('input', () => { clearTimeout(wait); wait = setTimeout(choose, 80); });
  amiss.addEventListener('change', choose);
  field.form.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === 'Escape' && document.activeElement === field) { field.value = ''; choose(); }
  });
  // A picture whose file moves plays while it is pointed at.
  const still = new WeakMap();
  const live = (event, on) => {
    const image = event.target.closest && event.target.closest('a') && event.target.closest('a').querySelector('img[data-live]');
    if (!image) return;
    if (on && !still.has(image)) { still.set(image, image.src); image.src = image.closest('a').href; }
    if (!on && still.has(image)) { image.src = still.get(image); still.delete(image); }
  };
  for (const [name, on] of [['pointerover', true], ['focusin', true], ['pointerout', false], ['focusout', false]]) {
    document.addEventListener(name, (event) => live(event, on));
  }
  // Many sounds share one player.
  const player = new Audio();
  let playing = null;
  const stop = () => {
    if (playing) playing.textContent = '\u25b6';
    playing = null;
    player.pause();
  };
  document.addEventListener('click', (event) => {
    const button = event.target.closest && event.target.closest('button[data-play]');
    if (!button) return;
    const again = playing === button;
    stop();
    if (again) return;
    player.src = button.dataset.play;
    player.play().catch(stop);
    button.textContent = '\u25a0';
    playing = button;
  });
  player.addEventListener('ended', stop);
  choose();
})();
