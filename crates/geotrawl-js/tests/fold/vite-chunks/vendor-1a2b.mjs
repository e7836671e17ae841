class q{constructor(e){this.o=e}}const m={addSource(){}};export{m as b,q as w};
