(() => {
  const field = document.getElementById('filter');
  const withWarnings = document.getElementById('with-warnings');
  const found = document.getElementById('found');
  const nothing = document.getElementById('nothing');
  const items = [...document.querySelectorAll('.card, .rows > li, tbody > tr')];
  const files = items.filter((item) => item.matches('.card, .rows > li'));
  const sections = [...document.querySelectorAll('main > section:not(#results)')];
  const texts = new Map();
  const text = (item) => {
    if (!texts.has(item)) {
      const section = item.closest('section').querySelector('h2').textContent;
      texts.set(item, (item.textContent + ' ' + section).toLowerCase());
    }
    return texts.get(item);
  };
  const words = () => field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const count = (seen, all) => seen.toLocaleString('en') + ' of ' + all.toLocaleString('en') + ' files';
  const chooseHere = () => {
    const wanted = words();
    const asked = wanted.length > 0 || withWarnings.checked;
    for (const item of items) {
      const fits = (!withWarnings.checked || item.querySelector('.warn, .bad, .why')) && wanted.every((word) => text(item).includes(word));
      item.hidden = !fits;
    }
    for (const section of sections) section.hidden = !section.querySelector('.card:not([hidden]), .rows > li:not([hidden]), tbody > tr:not([hidden])');
    const seen = files.filter((item) => !item.hidden).length;
    found.textContent = asked ? count(seen, files.length) : '';
    nothing.hidden = sections.some((section) => !section.hidden);
  };
  // If there are several pages, each has a script that lists its contents. The scripts are fetched on the first search.
  const { pages = '1', up = '' } = document.body.dataset;
  const results = document.getElementById('results');
  const index = [];
  let fetched = 0;
  const MAX_RESULTS = 200;
  const link = (page, anchor) => up + (page ? 'gallery/page-' + (page + 1) + '.html' : 'index.html') + '#' + anchor;
  const card = ([page, [anchor, name, folder, summary, , , picture]]) => {
    const put = (parent, tag, set, said) => {
      const made = parent.appendChild(document.createElement(tag));
      Object.assign(made, set);
      if (said) made.appendChild(document.createElement('bdi')).textContent = said;
      return made;
    };
    const made = document.createElement('article');
    made.className = 'card';
    const href = link(page, anchor);
    if (picture) {
      const image = put(put(made, 'a', { className: 'shot check', href }), 'img', { loading: 'lazy', decoding: 'async', alt: name });
      // Small pictures are enlarged by an integer factor, as elsewhere.
      image.onload = () => {
        const times = Math.min(4, Math.floor(256 / image.naturalWidth), Math.floor(192 / image.naturalHeight));
        if (times > 1) { image.className = 'tiny'; image.width = image.naturalWidth * times; }
      };
      image.src = up + picture;
    }
    put(put(made, 'h3', {}), 'a', { href }, name);
    if (folder) put(made, 'p', { className: 'where' }, folder);
    if (summary) put(made, 'p', { className: 'what' }, summary);
    return made;
  };
  const chooseEverywhere = () => {
    const wanted = words();
    const asked = wanted.length > 0 || withWarnings.checked;
    results.hidden = !asked;
    for (const section of sections) section.hidden = asked;
    if (!asked) { found.textContent = ''; nothing.hidden = true; return; }
    const fits = index.filter(([, entry, all]) => (!withWarnings.checked || entry[5]) && wanted.every((word) => all.includes(word)));
    results.querySelector('.grid').replaceChildren(...fits.slice(0, MAX_RESULTS).map(card));
    results.querySelector('.count').textContent = fits.length > MAX_RESULTS ? 'the first ' + MAX_RESULTS : '';
    found.textContent = fetched < pages ? 'searching \u2026' : count(fits.length, index.length);
    nothing.hidden = fits.length > 0 || fetched < pages;
  };
  window.gallery = (page, entries) => {
    for (const entry of entries) index.push([page, entry, entry.slice(1, 5).join(' ').toLowerCase()]);
  };
  const fetchNext = () => {
    if (fetched >= pages) return chooseEverywhere();
    const script = document.createElement('script');
    script.src = up + 'gallery/search-' + (fetched + 1) + '.js';
    script.onload = script.onerror = () => {
      script.remove();
      fetched += 1;
      if (fetched % 32 === 1) chooseEverywhere();
      fetchNext();
    };
    document.head.appendChild(script);
  };
  let begun = false;
  const choose = () => {
    if (pages === '1') return chooseHere();
    if (!begun && (field.value.trim() || withWarnings.checked)) { begun = true; fetchNext(); }
    chooseEverywhere();
  };
  let wait = 0;
  field.addEventListener('input', () => { clearTimeout(wait); wait = setTimeout(choose, 80); });
  withWarnings.addEventListener('change', choose);
  field.form.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === 'Escape' && document.activeElement === field) { field.value = ''; choose(); }
  });
  // An animated picture plays while the pointer is on it.
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
