/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The type Pixels: memory for a picture, which Python sees as an array of height x width x 4 bytes. Before Python 3.12
 * no class of Python can offer a buffer, so this one is of C.
 *
 * The stable interface has buffers since 3.11, but all that is used here has been there, and the same, since 3.9. The
 * headers of 3.9 and 3.10 show buffers only to who asks for no stable interface. */
#include <patchlevel.h>
#if PY_VERSION_HEX < 0x030b0000
#undef Py_LIMITED_API
#endif

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The kinds of contiguity that a consumer may ask for, without the strides that they imply. */
#define ASKS_FORTRAN (PyBUF_F_CONTIGUOUS & ~PyBUF_STRIDES)

typedef struct pixels {
    PyObject_HEAD void *bytes;
    Py_ssize_t shape[3], strides[3];
} pixels;

static PyObject *pixels_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"width", "height", NULL};
    Py_ssize_t width, height;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "nn", names, &width, &height))
        return NULL;
    if (width < 1 || height < 1 || width > UINT16_MAX || height > UINT16_MAX) {
        PyErr_Format(PyExc_ValueError, "%zd x %zd pixels are no picture", width, height);
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    pixels *self = (pixels *)allocate(type, 0);
    if (!self)
        return NULL;
    self->bytes = calloc((size_t)height, 4 * (size_t)width);
    self->shape[0] = height;
    self->shape[1] = width;
    self->shape[2] = 4;
    self->strides[0] = 4 * width;
    self->strides[1] = 4;
    self->strides[2] = 1;
    if (!self->bytes) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void pixels_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    free(((pixels *)object)->bytes);
    release(object);
    Py_DECREF(type);
}

static int pixels_get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    pixels *self = (pixels *)object;
    bool shaped = (flags & PyBUF_ND) != 0;

    view->obj = NULL;
    if (flags & ASKS_FORTRAN) {
        PyErr_SetString(PyExc_BufferError, "the rows of a picture stand one behind the other, in the order of C");
        return -1;
    }
    Py_INCREF(object);
    *view = (Py_buffer){
        .buf = self->bytes,
        .obj = object,
        .len = self->shape[0] * self->strides[0],
        .itemsize = 1,
        .ndim = shaped ? 3 : 1,
        .format = flags & PyBUF_FORMAT ? "B" : NULL,
        .shape = shaped ? self->shape : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL,
    };
    return 0;
}

static PyObject *pixels_address(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(((pixels *)object)->bytes);
}

static PyObject *pixels_width(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromSsize_t(((pixels *)object)->shape[1]);
}

static PyObject *pixels_height(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromSsize_t(((pixels *)object)->shape[0]);
}

static PyGetSetDef properties[] = {
    {"_address", pixels_address, NULL, "Address of the first pixel.", NULL},
    {"width", pixels_width, NULL, "Pixels in a row.", NULL},
    {"height", pixels_height, NULL, "Rows of pixels.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Memory for height x width x 4 bytes, all 0 at first."},
    {Py_tp_new, pixels_new},
    {Py_tp_dealloc, pixels_dealloc},
    {Py_tp_getset, properties},
    {Py_bf_getbuffer, pixels_get_buffer},
    {0, NULL},
};

static PyType_Spec specification = {
    .name = "pietra._pixels.Pixels",
    .basicsize = sizeof(pixels),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "pietra._pixels", .m_size = 0};

PyMODINIT_FUNC PyInit__pixels(void)
{
    PyObject *made = PyModule_Create(&module), *type = made ? PyType_FromSpec(&specification) : NULL;

    if (!type || PyModule_AddObject(made, "Pixels", type) != 0) {
        Py_XDECREF(type);
        Py_XDECREF(made);
        return NULL;
    }
    return made;
}
